import { ToolFailure } from '../base/failures';
import { addToCanvas, followMoved } from '../canvas/canvas';
import type { FieldSource } from '../entity/handed-out/fields';
import { type Reading, readReading } from '../entity/handed-out/reading';
import type { Seen } from '../entity/handed-out/seen';
import type { Versions } from '../entity/handed-out/versions';
import type { Entities } from '../entity/index/entities';
import { isOfForm } from '../entity/model/field-form';
import { type Entity, type EntityType, kinds } from '../entity/model/model';
import { highestOf, type Numbers } from '../entity/model/numbers';
import { bodyOf, writtenField } from '../entity/note/note-text';
import { isDecided } from '../entity/note/read';
import { entityNamed, severalNamed } from '../entity/references/find';
import { checkReferences, type Lookup } from '../entity/references/references';
import { checkWaiting } from '../entity/references/waiting';
import type { Draft } from '../store/batch/draft';
import type { EntityFolders } from '../store/workspaces';
import { goesWith, goingAlong, leftBelow, refuseTwins, unreadableBelow } from './cascade';
import { createDrafted } from './drafted';
import { followLinks } from './follow-links';
import { createKnownFields } from './known-fields';
import { settle } from './late-change';
import { fileName, newEntityNote } from './new-entity';
import { createNewIds } from './new-ids';
import { createNotePlaces } from './note-places';
import { createRewrite } from './rewrite';
import { replacedDecision } from './superseded';
import { readChange } from './validate';

export interface CreateOptions {
  /** A note whose text it holds now: it is as private. */
  readonly like?: string;
  readonly workspace?: string | undefined;
  readonly add_to_canvas?: boolean | undefined;
  readonly canvas_source?: string | undefined;
}

type Data = Readonly<Record<string, unknown>>;

export interface Updated {
  readonly entity: Entity;
  readonly cascaded: readonly string[];
  /** What the caller had not seen: kept, or a small one replaced. */
  readonly difference?: string | undefined;
  /** Whether the caller knows what stands in a field by now. */
  knows(field: string): boolean;
}

/** Changes of entities, drafted: each sees those before it. */
export interface Edit extends Lookup, FieldSource {
  create(type: EntityType, data: Data, options?: CreateOptions): Promise<Entity>;
  /** Beside what the caller has seen, what it has read: as it says itself, or by the revision that it was given. */
  update(id: string, data: Data, read?: Reading | string): Promise<Updated>;
  /** All notes that have an id, as they were before these changes. */
  notesOf(id: string): readonly Entity[];
  /** A number that nobody has had, for what is to become an entity of that type. */
  claim(type: EntityType): string;
  /** After a file or folder got another path. */
  moved(from: string, to: string): Promise<void>;
  /** As they are drafted. */
  changed(): readonly Entity[];
  /** Fields that the caller itself wrote here, by id. */
  own(): ReadonlyMap<string, ReadonlySet<string>>;
  /** What was not written, or went elsewhere in a note, since words stood there that nobody had read. */
  warnings(): readonly string[];
  /** The highest numbers, those given here included. */
  numbers(): Numbers;
  savepoint(): () => void;
}

/** Longer than most: of one draft and its entities it is the one place where a change is checked, written and told. */
export function createEdit(parts: {
  readonly draft: Draft;
  readonly entities: Entities;
  readonly folders: EntityFolders;
  readonly versions: Versions;
  /** By who changes them. */
  readonly seen?: Seen | undefined;
  /** The highest numbers ever given. */
  readonly given: Numbers;
  /** Why no number can be given. */
  readonly whyNoNew: ToolFailure | null;
  /** Of all files. */
  readonly paths: readonly string[];
  readonly now: () => Date;
}): Edit {
  const { draft, entities, folders, versions, seen, now, paths, whyNoNew } = parts;
  const canvases = paths.filter((path) => path.endsWith('.canvas'));
  const drafted = createDrafted({ draft, entities, versions, now });
  const { get, changed } = drafted;
  const ids = createNewIds({ given: highestOf(parts.given, entities.highest), whyNoNew, changed });
  const knownFields = createKnownFields({ seen, versions });
  const { wrote } = knownFields;
  let warnings: readonly string[] = [];
  const warn = (warning: string) => {
    warnings = [...warnings, warning];
  };
  const places = createNotePlaces({ draft, folders });
  const rewrite = createRewrite({ draft, drafted, places, canvases, now, warn });

  async function create(type: EntityType, data: Data, options: CreateOptions = {}): Promise<Entity> {
    const { values, body, archived } = readChange(type, data, new Set());
    if (values.title === undefined) {
      throw new ToolFailure('validation', 'A new entity needs a title.', { field: 'title' });
    }
    if (archived) {
      throw new ToolFailure('validation', 'A new entity is not archived.', { field: 'archived' });
    }
    checkReferences(null, type, values, drafted);
    checkWaiting({ id: null, values, lookup: drafted });
    const parent = typeof values.parent === 'string' ? get(values.parent) : undefined;
    const id = ids.next(type);
    const stamp = now().toISOString();
    const folder = folders.folderFor(options.workspace, parent?.path);
    const canvas =
      canvasFor(options, values, parent) ?? (options.add_to_canvas ? `${folder}/Project.canvas` : undefined);
    const path = `${folder}/${kinds[type].plural}/${fileName(id, String(values.title))}`;
    if (await draft.read(path)) throw new ToolFailure('conflict', `“${path}” exists already.`);
    const workstream = parent?.workstream ?? undefined;
    const text = newEntityNote({ id, type, values, workstream, canvas, stamp, body: body ?? '' });
    const entity = await drafted.put(path, text, options.like);
    wrote(id, [...Object.keys(entity.values), 'archived', 'body']);
    await linkSuperseded(entity, values);
    if (options.add_to_canvas && canvas !== undefined) await addToCanvas(draft, canvas, entity, drafted);
    return get(id) ?? entity;
  }

  async function update(id: string, data: Data, read?: Reading | string): Promise<Updated> {
    const present = entityNamed(id, drafted);
    const reading = typeof read === 'string' ? readReading(present.id, read) : read;
    const twice = entities.sharing(present.id);
    if (twice.length > 1) throw severalNamed(present.id, twice, { hint: 'Give all but one another id.' });
    const movesBefore = draft.moves().length;
    const { entity: before, text } = await drafted.asWritten(present);
    const request = readChange(before.type, data, new Set(Object.keys(before.values)));
    if ('title' in request.values && request.values.title === undefined) {
      throw new ToolFailure('validation', 'An entity keeps a title.', { field: 'title' });
    }
    checkReferences(before.id, before.type, request.values, drafted);
    checkWaiting({ id: before.id, values: request.values, lookup: drafted });
    const { body, ownBody, notices, toldFields } = settle({
      entity: before,
      bases: knownFields.basesFor(before, bodyOf(text), reading),
      body: bodyOf(text),
      request,
      written: (field) => writtenField(text, field).value,
    });
    const isHanded = knownFields.handedIn(before, bodyOf(text));
    const values = withDecided(before, request.values);
    const { archived } = request;
    const cascaded = request.cascade ? await cascadeFrom(before, archived) : [];
    const entity = await rewrite(before, { values, body, archived, isHanded });
    const along = archived ? { archived_with: before.id } : {};
    for (const each of cascaded) {
      await rewrite(each, { values: along, archived });
      wrote(each.id, ['archived']);
    }
    wrote(entity.id, [...Object.keys(values), ...toldFields]);
    if (archived !== undefined) wrote(entity.id, ['archived']);
    if (ownBody) wrote(entity.id, ['body']);
    await linkSuperseded(entity, request.values);
    const moves = draft.moves().slice(movesBefore);
    await followLinks({ moves, draft, drafted, linking: entities.linking, paths });
    return {
      entity: get(entity.id) ?? entity,
      cascaded: cascaded.map((each) => each.id),
      difference: notices.length > 0 ? notices.join('\n') : undefined,
      knows: (field) =>
        knownFields.own().get(entity.id)?.has(field) === true ||
        (reading?.revision === before.revision && reading.has(field)),
    };
  }

  /** What lies below an entity and is archived, or comes back, with it. */
  async function cascadeFrom(entity: Entity, archived: boolean | undefined): Promise<readonly Entity[]> {
    const cascaded = goingAlong(entity, archived, drafted.children);
    const ids = new Set([entity.id, ...cascaded.map(({ id }) => id)]);
    refuseTwins(ids, goesWith(entity, archived), entities);
    const textOf = async (path: string) => (await draft.read(path))?.text ?? '';
    for (const path of await unreadableBelow(ids, entities, textOf)) warn(leftBelow(path));
    return cascaded;
  }

  /** Of two decisions of which one replaces the other, both say so. */
  async function linkSuperseded(entity: Entity, values: Data): Promise<void> {
    const old = replacedDecision(entity, values, get);
    if (!old) return;
    const { entity: present, text } = await drafted.asWritten(old);
    const base = knownFields.basesFor(present, bodyOf(text), undefined).of('status');
    if (isOfForm(present, 'status') && base?.values.status !== present.status)
      warn(`${old.id}: its status was ${present.status} and is superseded now.`);
    await rewrite(old, { values: { status: 'superseded', superseded_by: entity.id } });
    wrote(old.id, ['status', 'superseded_by']);
  }

  return {
    get,
    all: drafted.all,
    troubled: entities.troubled,
    children: drafted.children,
    dependents: drafted.dependents,
    text: drafted.textOf,
    create,
    update,
    claim: ids.claim,
    notesOf: entities.sharing,
    moved: (from, to) => followMoved(draft, canvases, from, to),
    changed,
    own: knownFields.own,
    warnings: () => warnings,
    numbers: ids.numbers,
    savepoint: () => {
      const undo = [drafted.savepoint(), knownFields.savepoint(), draft.savepoint()];
      const warningsBefore = warnings;
      return () => {
        for (const each of undo) each();
        warnings = warningsBefore;
      };
    },
  };
}

/** Whoever says what was decided, and by whom, has decided. */
function withDecided(entity: Entity, values: Data): Data {
  if (entity.status !== 'pending' || 'status' in values) return values;
  const tells = ['decision', 'decided_by', 'decided_on'].some((key) => values[key] !== undefined);
  return tells && isDecided(entity.type, { ...entity.values, ...values })
    ? { ...values, status: 'decided' }
    : values;
}

/** The canvas that a new entity names, or on which it is to be shown beside its parent. */
function canvasFor(options: CreateOptions, values: Data, parent: Entity | undefined): string | undefined {
  const canvasPath =
    options.canvas_source ??
    values.canvas_source ??
    (options.add_to_canvas ? parent?.values.canvas_source : undefined);
  return typeof canvasPath === 'string' ? canvasPath : undefined;
}
