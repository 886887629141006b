import { ToolFailure } from '../base/failures';
import { filesOnCanvas } from '../canvas/canvas';
import type { Entities } from '../entity/index/entities';
import type { Entity } from '../entity/model/model';
import type { Store } from '../store/store';
import { checkWorkstreams } from './workstreams';

/** The entities of a workstream, of a canvas, or all. */
export async function inScope(
  { entities, store }: { entities: Entities; store: Store },
  { workstream, canvas_source }: { workstream?: string | undefined; canvas_source?: string | undefined },
): Promise<readonly Entity[]> {
  let members = entities.all();
  if (canvas_source !== undefined) {
    const canvas = await store.find(canvas_source);
    const files = canvas ? filesOnCanvas(canvas_source, canvas.text) : new Set<string>();
    members = members.filter((each) => files.has(each.path) || each.values.canvas_source === canvas_source);
    if (!canvas && members.length === 0) {
      throw new ToolFailure('not_found', `There is no canvas “${canvas_source}”.`, {
        field: 'canvas_source',
      });
    }
  }
  if (workstream === undefined) return members;
  checkWorkstreams([workstream], entities);
  return members.filter((each) => each.workstream === workstream);
}
