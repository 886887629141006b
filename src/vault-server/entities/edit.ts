import { addToCanvas, followOnCanvas } from '../canvas';
import { ToolFailure } from '../failures';
import type { Draft } from '../files/draft';
import type { EntityFolders } from '../workspaces';
import type { Entities } from './catalog';
import type { FieldSource } from './fields';
import { entityNamed } from './find';
import { type Entity, type EntityType, kinds, parseId, printId, writableFields } from './model';
import { bodyOf, newNote, withBody, withValues } from './note-text';
import { readEntity, readParts } from './read';
import { checkReferences, type Lookup } from './references';
import { readChange } from './validate';

export interface CreateOptions {
  readonly workspace?: string | undefined;
  readonly add_to_canvas?: boolean | undefined;
  readonly canvas_source?: string | undefined;
}

type Data = Readonly<Record<string, unknown>>;

/** Changes of entities, drafted: each sees those before it. */
export interface Edit extends Lookup, FieldSource {
  create(type: EntityType, data: Data, options?: CreateOptions): Promise<Entity>;
  update(
    id: string,
    data: Data,
    expectedUpdated?: string,
  ): Promise<{ entity: Entity; cascaded: readonly string[] }>;
  savepoint(): () => void;
}

export function createEdit(parts: {
  readonly draft: Draft;
  readonly entities: Entities;
  readonly folders: EntityFolders;
  readonly now: () => Date;
}): Edit {
  const { draft, entities, folders, now } = parts;
  let changed = new Map<string, Entity>();

  const get = (id: string): Entity | undefined => changed.get(id) ?? entities.get(id);

  function* all(): Iterable<Entity> {
    for (const entity of entities.all()) yield changed.get(entity.id) ?? entity;
    for (const entity of changed.values()) if (!entities.get(entity.id)) yield entity;
  }

  /** In the vault as it was, and as it is drafted. */
  function having(before: readonly Entity[], has: (entity: Entity) => boolean): Entity[] {
    const kept = before.filter((entity) => !changed.has(entity.id));
    return [...kept, ...[...changed.values()].filter(has)];
  }
  const children = (id: string): Entity[] => having(entities.children(id), (entity) => entity.parent === id);

  function nextId(type: EntityType): string {
    let highest = entities.highest(type);
    for (const id of changed.keys()) {
      const parts = parseId(id);
      if (parts?.type === type && parts.number > highest) highest = parts.number;
    }
    return printId(type, highest + 1);
  }

  async function put(path: string, text: string): Promise<Entity> {
    await draft.write(path, text);
    const entity = readEntity({ path, modified: now().getTime() }, readParts(text).values);
    if (!entity) throw new Error(`The note “${path}” would be no entity.`);
    changed.set(entity.id, entity);
    return entity;
  }

  async function textOf(entity: Entity): Promise<string> {
    const document = await draft.read(entity.path);
    if (!document) throw new ToolFailure('conflict', `“${entity.path}” is gone.`, { hint: 'Try again.' });
    return document.text;
  }

  async function create(type: EntityType, data: Data, options: CreateOptions = {}): Promise<Entity> {
    const { values, body, archived } = readChange(type, data, new Set());
    if (values.title === undefined) {
      throw new ToolFailure('validation', 'A new entity needs a title.', { field: 'title' });
    }
    if (archived) {
      throw new ToolFailure('validation', 'A new entity is not archived.', { field: 'archived' });
    }
    checkReferences(null, type, values, { get, all });
    const parent = typeof values.parent === 'string' ? get(values.parent) : undefined;
    const id = nextId(type);
    const stamp = now().toISOString();
    const canvas = canvasFor(options, values, parent);
    const path = `${folders.folderFor(options.workspace, parent?.path)}/${kinds[type].plural}/${fileName(id, String(values.title))}`;
    if (await draft.read(path)) throw new ToolFailure('conflict', `“${path}” exists already.`);
    const { title, workstream, status, priority } = values;
    const others = [...writableFields(type).keys()].filter((key) => key in values && !placed.has(key));
    const text = newNote(
      {
        id,
        type,
        title,
        workstream: workstream ?? parent?.workstream ?? undefined,
        status: status ?? kinds[type].statuses[0],
        priority: priority ?? 'medium',
        ...Object.fromEntries(others.map((key) => [key, values[key]])),
        created: stamp,
        updated: stamp,
        canvas_source: canvas,
      },
      body ?? '',
    );
    const entity = await put(path, text);
    await linkSuperseded(entity, values);
    if (options.add_to_canvas && canvas !== undefined) await addToCanvas(draft, canvas, entity, { get, all });
    return get(id) ?? entity;
  }

  function canvasFor(options: CreateOptions, values: Data, parent: Entity | undefined): string | undefined {
    const named =
      options.canvas_source ??
      values.canvas_source ??
      (options.add_to_canvas ? parent?.values.canvas_source : undefined);
    if (typeof named === 'string') return named;
    return options.add_to_canvas
      ? `${folders.folderFor(options.workspace, parent?.path)}/Project.canvas`
      : undefined;
  }

  async function update(id: string, data: Data, expectedUpdated?: string) {
    const before = entityNamed(id, { get, all });
    const twice = entities.duplicates().get(before.id);
    if (twice) {
      throw new ToolFailure('conflict', `Several notes have the id ${before.id}.`, {
        hint: `Give all but one another id: ${twice.join(', ')}`,
      });
    }
    if (expectedUpdated !== undefined && expectedUpdated !== before.updated) {
      throw new ToolFailure('conflict', `${before.id} was changed since it was read.`, {
        field: 'expected_updated',
        hint: `It was updated at ${before.updated}. Read it again.`,
      });
    }
    const request = readChange(before.type, data, new Set(Object.keys(before.values)));
    if ('title' in request.values && request.values.title === undefined) {
      throw new ToolFailure('validation', 'An entity keeps a title.', { field: 'title' });
    }
    checkReferences(before.id, before.type, request.values, { get, all });
    const cascaded = request.cascade ? descendants(before) : [];
    const entity = await rewrite(before, request.values, request.body, request.archived);
    for (const each of cascaded) await rewrite(each, {}, undefined, request.archived);
    await linkSuperseded(entity, request.values);
    return { entity: get(entity.id) ?? entity, cascaded: cascaded.map((each) => each.id) };
  }

  async function rewrite(
    before: Entity,
    values: Data,
    body: string | undefined,
    archived: boolean | undefined,
  ): Promise<Entity> {
    const text = await textOf(before);
    const different = Object.fromEntries(
      Object.entries(values).filter(([key, value]) => !isSame(before.values[key], value)),
    );
    const move = archived !== undefined && archived !== before.archived;
    if (move) different.archived = archived || undefined;
    const rewritten = body === undefined || body.trimEnd() === bodyOf(text) ? text : withBody(text, body);
    if (Object.keys(different).length === 0 && rewritten === text) return before;
    const now = withValues(before.path, rewritten, { ...different, updated: stampAfter(before.updated) });
    const path = move ? await archivePath(before, archived) : before.path;
    if (path !== before.path) await draft.remove(before.path);
    const after = await put(path, now);
    const canvas = before.values.canvas_source;
    if (typeof canvas === 'string') await followOnCanvas(draft, canvas, before, after, { get, all });
    return after;
  }

  async function archivePath(entity: Entity, archived: boolean): Promise<string> {
    const folder = folders.folderFor(undefined, entity.path);
    const name = entity.path.slice(entity.path.lastIndexOf('/') + 1);
    const target = `${folder}/${archived ? 'archive/' : ''}${kinds[entity.type].plural}`;
    for (let count = 1; ; count++) {
      const path = `${target}/${count === 1 ? name : name.replace(/(?=\.[^.]*$)/, ` ${count}`)}`;
      if (path === entity.path || !(await draft.read(path))) return path;
    }
  }

  function descendants(entity: Entity): Entity[] {
    const found = new Map<string, Entity>();
    const queue = [entity.id];
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      for (const child of children(id)) {
        if (child.id === entity.id || found.has(child.id)) continue;
        found.set(child.id, child);
        queue.push(child.id);
      }
    }
    return [...found.values()];
  }

  /** Of two decisions of which one replaces the other, both say so. */
  async function linkSuperseded(entity: Entity, values: Data): Promise<void> {
    if (entity.type !== 'decision' || typeof values.supersedes !== 'string') return;
    const old = get(values.supersedes);
    if (!old || old.id === entity.id || old.type !== 'decision') {
      throw new ToolFailure('validation', 'A decision supersedes another decision.', { field: 'supersedes' });
    }
    await rewrite(old, { status: 'superseded', superseded_by: entity.id }, undefined, undefined);
  }

  /** Later than before, also where two changes fall into one millisecond. */
  function stampAfter(before: string): string {
    const last = Date.parse(before);
    return new Date(Number.isNaN(last) ? now() : Math.max(now().getTime(), last + 1)).toISOString();
  }

  return {
    get,
    all,
    create,
    update,
    children,
    dependents: (id) => having(entities.dependents(id), (entity) => entity.dependsOn.includes(id)),
    text: textOf,
    savepoint: () => {
      const [entitiesBefore, undoDraft] = [new Map(changed), draft.savepoint()];
      return () => {
        changed = entitiesBefore;
        undoDraft();
      };
    },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Keys of a new note that have a place of their own. */
const placed = new Set(['title', 'workstream', 'status', 'priority', 'canvas_source']);

const longestName = 160;

/** The title as far as every file system and wiki link can have it. */
function fileName(id: string, title: string): string {
  const safe = title
    .replace(/[\\/:*?"<>|#^[\]\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  let name = safe;
  while (Buffer.byteLength(name) > longestName) name = [...name].slice(0, -1).join('');
  name = name.replace(/[. ]+$/, '');
  return `${id}${name === '' ? '' : ` ${name}`}.md`;
}
