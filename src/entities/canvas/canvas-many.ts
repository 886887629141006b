import { parseTree } from 'jsonc-parser';
import type { Entity } from '../entity/model/model';
import {
  type CanvasNode,
  type DerivedEdge,
  derived,
  entityShown,
  gap,
  nodesByFile,
  notDrawn,
  parseCanvas,
  size,
} from './canvas';
import { edited, withAppended, withItems } from './canvas-text';

export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

const measures = ['x', 'y', 'width', 'height'] as const;

/** The canvas with nodes in other places; every byte that is no changed number stays. */
export function withPlaces(path: string, text: string, places: readonly Place[]): string {
  parseCanvas(path, text);
  const placesById = new Map(places.map((place) => [place.id, place]));
  const edits: { offset: number; length: number; value: string }[] = [];
  const root = parseTree(text);
  const nodes = root?.children?.find((property) => property.children?.[0]?.value === 'nodes')?.children?.[1];
  for (const node of nodes?.children ?? []) {
    const properties = new Map(node.children?.map(({ children }) => [children?.[0]?.value, children?.[1]]));
    const id = String(properties.get('id')?.value);
    const place = placesById.get(id);
    // Of several with one id the first is the one that is shown.
    if (!place || !placesById.delete(id)) continue;
    for (const name of measures) {
      const [now, value] = [place[name], properties.get(name)];
      if (now === undefined || !value || value.value === Math.round(now)) continue;
      edits.push({ offset: value.offset, length: value.length, value: String(Math.round(now)) });
    }
  }
  let at = 0;
  const parts = edits
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, length, value }) => {
      const part = text.slice(at, offset) + value;
      at = offset + length;
      return part;
    });
  return parts.join('') + text.slice(at);
}

/**
 * The canvas with notes that it lacks, in rows below all that is there, and with the edges that notes imply. A node whose
 * note was moved shows it where it is now.
 */
export function withEntities(
  path: string,
  text: string,
  wantedEntities: readonly Entity[],
  all: readonly Entity[],
  exists: (path: string) => boolean,
): { readonly text: string; readonly added: number } {
  const byId = new Map(all.map((entity) => [entity.id, entity]));
  const lookup = {
    at: new Map(all.map((entity) => [entity.path, entity])),
    get: (id: string) => byId.get(id),
    exists,
  };
  const before = parseCanvas(path, text);
  const entities = before.nodes.map((node) => entityShown(node, lookup));
  const relinked = withItems(text, 'nodes', (node, at) => {
    const entity = entities[at];
    return entity && before.nodes[at]?.file !== entity.path ? edited(node, ['file'], entity.path) : node;
  });
  const canvas = parseCanvas(path, relinked);
  const present = new Set(entities);
  const missing = wantedEntities.filter((entity) => !present.has(entity));
  const ids = new Set(canvas.nodes.map((node) => node.id));
  const columns = Math.max(4, Math.ceil(Math.sqrt(missing.length)));
  const top = canvas.nodes.reduce((most, node) => Math.max(most, node.y + node.height + gap.y), 0);
  const left = canvas.nodes.reduce((least, node) => Math.min(least, node.x), 0);
  const added = missing.map((entity, at) => ({
    id: ids.has(entity.id) ? `${entity.id}-note` : entity.id,
    type: 'file',
    file: entity.path,
    x: left + (at % columns) * (size.width + gap.x),
    y: top + Math.floor(at / columns) * (size.height + gap.y),
    ...size,
  }));
  if (added.length === 0) return { text: relinked, added: 0 };
  const edges = notDrawn(impliedEdges([...canvas.nodes, ...added], all), canvas.edges);
  return {
    text: withAppended(withAppended(relinked, 'nodes', added), 'edges', edges),
    added: added.length,
  };
}

/** The edges that `parent` and `depends_on` imply between what is shown. */
export function impliedEdges(
  nodes: readonly Pick<CanvasNode, 'id' | 'type' | 'file'>[],
  entities: readonly Entity[],
): DerivedEdge[] {
  const byFile = nodesByFile(nodes);
  const byId = new Map(entities.map((entity) => [entity.id, byFile.get(entity.path)?.id]));
  const edges: DerivedEdge[] = [];
  for (const entity of entities) {
    const toNode = byId.get(entity.id);
    if (toNode === undefined) continue;
    const above = entity.parent === null ? undefined : byId.get(entity.parent);
    if (above !== undefined) {
      const sides = { fromSide: 'bottom', toSide: 'top' };
      edges.push({ id: derived.parent(entity.id), fromNode: above, toNode, ...sides });
    }
    for (const needed of entity.dependsOn) {
      const first = byId.get(needed);
      if (first === undefined) continue;
      const sides = { fromSide: 'right', toSide: 'left' };
      edges.push({ id: derived.dependency(entity.id, needed), fromNode: first, toNode, ...sides });
    }
  }
  return edges;
}
