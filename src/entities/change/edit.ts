import { ToolFailure, toFailure } from '../base/failures';
import { addToCanvas, followMoved, followOnCanvas } from '../canvas/canvas';
import type { Entities } from '../entity/catalog';
import { isOfForm, isShownWhole } from '../entity/field-form';
import type { FieldSource } from '../entity/fields';
import { entityNamed, severalNamed } from '../entity/find';
import {
  type Entity,
  type EntityType,
  idsIn,
  kinds,
  numberOf,
  printId,
  writableFields,
} from '../entity/model';
import { linkFollower } from '../entity/note-links';
import { bodyOf, newNote, withBody, withLinesBelow, withValues, writtenField } from '../entity/note-text';
import { highestOf, lastGiven, type Numbers, numbersBy, numbersName } from '../entity/numbers';
import { isDecided, readEntity, readParts, statusUntold } from '../entity/read';
import { type Reading, readReading } from '../entity/reading';
import { checkReferences, type Lookup } from '../entity/references';
import type { Seen } from '../entity/seen';
import { idsTaken } from '../entity/taken';
import type { Version, Versions } from '../entity/versions';
import { checkWaiting } from '../entity/waiting';
import type { Draft } from '../store/draft';
import { revisionOf } from '../store/hash';
import type { Move } from '../store/links';
import { type EntityFolders, isNote } from '../store/workspaces';
import { goesWith, goingAlong } from './cascade';
import { type Bases, isSame, settle, valueIn } from './late-change';
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
  const { draft, entities, folders, versions, seen, now } = parts;
  const canvases = parts.paths.filter((path) => path.endsWith('.canvas'));
  let given = highestOf(parts.given, entities.highest);
  let changed = new Map<string, Entity>();
  let own = new Map<string, ReadonlySet<string>>();
  let warnings: readonly string[] = [];

  const get = (id: string): Entity | undefined => changed.get(id) ?? entities.get(id);

  function* all(): Iterable<Entity> {
    for (const entity of entities.all()) yield changed.get(entity.id) ?? entity;
    for (const entity of changed.values()) if (!entities.get(entity.id)) yield entity;
  }

  const lookup: Lookup = { get, all, troubled: entities.troubled };

  /** In the vault as it was, and as it is drafted. */
  function having(before: readonly Entity[], has: (entity: Entity) => boolean): Entity[] {
    const kept = before.filter((entity) => !changed.has(entity.id));
    return [...kept, ...[...changed.values()].filter(has)];
  }
  const children = (id: string): Entity[] => having(entities.children(id), (entity) => entity.parent === id);

  function nextId(type: EntityType): string {
    if (parts.whyNoNew) throw parts.whyNoNew;
    const number = numbers()[type] + 1;
    if (number <= lastGiven) return printId(type, number);
    throw new ToolFailure('conflict', `No number is left for a new ${type}.`, {
      hint: `Give ${printId(type, number - 1)} a smaller number or remove it, take its lines out of .interlinear/${numbersName} and vault-seen.txt where it has any, and start this server again.`,
    });
  }

  function numbers(): Numbers {
    const own = [...changed.values()];
    return numbersBy((type) =>
      Math.max(
        given[type],
        ...own
          .filter((each) => each.type === type)
          .map(numberOf)
          .filter((number) => number <= lastGiven),
      ),
    );
  }

  async function put(path: string, text: string, like?: string): Promise<Entity> {
    await draft.write(path, text, like);
    const file = { path, modified: now().getTime(), revision: revisionOf(text) };
    const entity = readEntity(file, readParts(text).values);
    if (!entity) throw new Error(`The note “${path}” would be no entity.`);
    changed.set(entity.id, entity);
    versions.keepBody(entity, bodyOf(text));
    return entity;
  }

  /** As its note is now: no event may have told of the last change yet. */
  async function asWritten(entity: Entity): Promise<{ entity: Entity; text: string }> {
    const text = await textOf(entity);
    const revision = revisionOf(text);
    versions.keep(entity);
    if (revision === entity.revision) return { entity, text };
    const file = { path: entity.path, modified: now().getTime(), revision };
    const read = readEntity(file, readParts(text).values);
    if (read?.id === entity.id) return { entity: read, text };
    throw new ToolFailure('conflict', `“${entity.path}” is not ${entity.id} any more.`, {
      hint: 'It was changed by another program just now. Search for it again.',
      revision,
    });
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
    checkReferences(null, type, values, lookup);
    checkWaiting({ id: null, values, lookup: { get, all, children } });
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
        status: status ?? statusUntold(type, values),
        priority: priority ?? 'medium',
        ...Object.fromEntries(others.map((key) => [key, values[key]])),
        created: stamp,
        updated: stamp,
        canvas_source: canvas,
      },
      body ?? '',
    );
    const entity = await put(path, text, options.like);
    wrote(id, [...Object.keys(entity.values), 'archived', 'body']);
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

  async function update(id: string, data: Data, read?: Reading | string): Promise<Updated> {
    const found = entityNamed(id, lookup);
    const reading = typeof read === 'string' ? readReading(found.id, read) : read;
    const twice = entities.sharing(found.id);
    if (twice.length > 1) throw severalNamed(found.id, twice, { hint: 'Give all but one another id.' });
    const moved = draft.moves().length;
    const { entity: before, text } = await asWritten(found);
    const request = readChange(before.type, data, new Set(Object.keys(before.values)));
    if ('title' in request.values && request.values.title === undefined) {
      throw new ToolFailure('validation', 'An entity keeps a title.', { field: 'title' });
    }
    checkReferences(before.id, before.type, request.values, lookup);
    checkWaiting({ id: before.id, values: request.values, lookup: { get, all, children } });
    const bases = basesFor(before, bodyOf(text), reading);
    const { body, ownBody, told, toldFields } = settle({
      entity: before,
      bases,
      body: bodyOf(text),
      request,
      written: (field) => writtenField(text, field).value,
    });
    const handed = basesFor(before, bodyOf(text), undefined);
    const isHanded = (field: string) => {
      // A person sees it before them.
      if (!seen && isShownWhole(before, field)) return true;
      const base = handed.of(field);
      return base !== null && isSame(valueIn(base, field), valueIn(before, field));
    };
    const values = withDecided(before, request.values);
    const cascaded = request.cascade ? goingAlong(before, request.archived, children) : [];
    if (request.cascade) {
      const ids = new Set([before.id, ...cascaded.map(({ id }) => id)]);
      refuseTwins(ids, goesWith(before, request.archived));
      await tellUnreadable(ids);
    }
    const entity = await rewrite(before, values, body, request.archived, isHanded);
    const along = request.archived ? { archived_with: before.id } : {};
    for (const each of cascaded) {
      await rewrite(each, along, undefined, request.archived);
      wrote(each.id, ['archived']);
    }
    wrote(entity.id, [...Object.keys(values), ...toldFields]);
    if (request.archived !== undefined) wrote(entity.id, ['archived']);
    if (ownBody) wrote(entity.id, ['body']);
    await linkSuperseded(entity, request.values);
    await followLinks(draft.moves().slice(moved));
    return {
      entity: get(entity.id) ?? entity,
      cascaded: cascaded.map((each) => each.id),
      difference: told.length > 0 ? told.join('\n') : undefined,
      knows: (field) =>
        own.get(entity.id)?.has(field) === true ||
        (reading?.revision === before.revision && reading.has(field)),
    };
  }

  /** Of notes with one id only the first is known as what lies below: none of them goes along. */
  function refuseTwins(ids: ReadonlySet<string>, goes: (entity: Entity) => boolean): void {
    for (const id of entities.duplicates().keys()) {
      const twins = entities.sharing(id);
      if (!ids.has(id) && !twins.some((twin) => ids.has(twin.parent ?? '') && goes(twin))) continue;
      throw severalNamed(id, twins, {
        field: 'cascade',
        hint: 'Nothing was moved. Give all but one another id (check_project tells the key that does), or leave cascade out.',
      });
    }
  }

  /** What can't be read may lie below one of these, and does not go along. */
  async function tellUnreadable(ids: ReadonlySet<string>): Promise<void> {
    for (const [path, { kind, id }] of entities.troubled()) {
      if (id !== null && ids.has(id)) continue;
      const text = kind === 'too-large' ? null : ((await draft.read(path).catch(() => null))?.text ?? '');
      const named =
        text === null ? null : idsTaken(Buffer.from(text)).map((each) => printId(each.type, each.number));
      if (named && !named.some((each) => ids.has(each))) continue;
      warnings = [
        ...warnings,
        `“${path}” can’t be read as an entity and may lie below one of these: it was left as it is. check_project tells how to put it right.`,
      ];
    }
  }

  function wrote(id: string, fields: readonly string[]): void {
    own.set(id, new Set([...(own.get(id) ?? []), ...fields]));
  }

  /** What came with a revision the caller knows as it was then; each other field as it was handed it last. */
  function basesFor(entity: Entity, body: string, reading: Reading | undefined): Bases {
    const present: Version = { values: entity.values, archived: entity.archived, body };
    const at = (each: string) => (each === entity.revision ? present : versions.find(entity.id, each));
    const handed = seen?.of(entity.id) ?? new Map<string, string>();
    const ownHere = own.get(entity.id);
    const handedAt = (field: string): Version | null => {
      if (ownHere?.has(field)) return present;
      const then = handed.get(field);
      return then === undefined ? null : at(then);
    };
    if (!reading) {
      const isRead = (field: string) => handedAt(field) !== null;
      return { of: handedAt, isRead, known: handed.keys(), isUntold: true };
    }
    const base = at(reading.revision);
    return {
      of: (field) => (reading.has(field) ? base : (handedAt(field) ?? base)),
      isRead: (field) => reading.has(field) || handedAt(field) !== null,
      known: new Set([...Object.keys({ ...base?.values, ...entity.values }), 'archived', 'body']),
      isUntold: false,
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

  async function rewrite(
    found: Entity,
    values: Data,
    body: string | undefined,
    archived: boolean | undefined,
    /** Whether the caller was handed what stands in a field. */
    isHanded: (field: string) => boolean = () => false,
  ): Promise<Entity> {
    const { entity: before, text } = await asWritten(found);
    const different = Object.fromEntries(
      Object.entries(values).filter(([key, value]) => !isSame(before.values[key], value)),
    );
    const move = archived !== undefined && archived !== before.archived;
    const path = move ? await pathFor(before, archived) : before.path;
    if (move) {
      different.archived = archived || undefined;
      different.archived_from = archived && !isUsual(before) ? before.path : undefined;
      if (!archived) different.archived_with = undefined;
    }
    const rewritten = body === undefined || body.trimEnd() === bodyOf(text) ? text : withBody(text, body);
    if (Object.keys(different).length === 0 && rewritten === text) return before;
    const kept = keepingWords(before, text, { ...different, updated: stampAfter(before.updated) }, isHanded);
    const now = withLinesBelow(withValues(before.path, rewritten, kept.values), kept.lines);
    if (path !== before.path) {
      await draft.remove(before.path);
      draft.moved(before.path, path);
    }
    const after = await put(path, now);
    const canvas = before.values.canvas_source;
    if (typeof canvas === 'string') await followOnCanvas(draft, canvas, before, after, { get, all });
    if (move) await followMoved(draft, canvases, before.path, after.path);
    return after;
  }

  /**
   * What a field may not hold, somebody wrote: what the server writes of itself leaves it alone, and what it has to write
   * takes its place only when it stands below, or whoever asks for it was handed it.
   */
  function keepingWords(entity: Entity, text: string, asked: Data, isHanded: (field: string) => boolean) {
    const values = { ...asked };
    const lines: string[] = [];
    for (const field of Object.keys(asked)) {
      if (isOfForm(entity, field) || isHanded(field)) continue;
      const { entry, value } = writtenField(text, field);
      const what = `${entity.id}: what stands in ${field} is not what it holds`;
      if (stamps.has(field)) {
        delete values[field];
        warnings = [...warnings, `${what}, and was left there: ${short(value)}`];
      } else {
        lines.push(entry);
        warnings = [...warnings, `${what}, and stands below the text now: ${short(value)}`];
      }
    }
    return { values, lines };
  }

  /** What leads to notes that were moved, and from them, leads there again. */
  async function followLinks(moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return;
    const own = new Map(draft.moves().map(({ from, to }) => [from, to]));
    const isNow = (path: string): string => {
      const to = own.get(path);
      return to === undefined || moves.some(({ from }) => from === path) ? path : to;
    };
    const follow = linkFollower(parts.paths.map(isNow), moves);
    const sources = new Set([
      ...entities.linking(moves.map(({ from }) => from)),
      ...moves.map(({ from }) => from),
    ]);
    for (const source of sources) {
      const from = isNow(source);
      const to = moves.find((move) => move.from === from)?.to ?? from;
      const document = await readableNote(to);
      const led = document && follow(document, from, to);
      if (led === null || led === document) continue;
      const entity = [...all()].find(({ path }) => path === to);
      if (entity) await put(to, led);
      else await draft.write(to, led);
    }
  }

  /** A note that can't be read, or is gone by now, keeps no other from being moved. */
  async function readableNote(path: string): Promise<string | null> {
    try {
      return (await draft.read(path))?.text ?? null;
    } catch (error) {
      if (toFailure(error).code === 'internal') throw error;
      return null;
    }
  }

  /** Where it is archived, or where it comes back to: what lay elsewhere goes back there. */
  async function pathFor(entity: Entity, archived: boolean): Promise<string> {
    const { plural } = kinds[entity.type];
    const folder = folders.folderFor(undefined, entity.path);
    const name = entity.path.slice(entity.path.lastIndexOf('/') + 1);
    const from = entity.values.archived_from;
    if (archived) return free(entity, `${folder}/archive/${plural}/${name}`);
    if (typeof from === 'string' && isNote(from)) {
      try {
        return await free(entity, from);
      } catch (error) {
        // Somebody wrote a place there that no note may have.
        if (toFailure(error).code !== 'path_outside_vault') throw error;
      }
    }
    if (!entity.path.includes('/archive/')) return entity.path;
    return free(entity, `${folder}/${plural}/${name}`);
  }

  function isUsual({ path, type }: Entity): boolean {
    const folder = folders.folderFor(undefined, path);
    return path.slice(0, path.lastIndexOf('/')) === `${folder}/${kinds[type].plural}`;
  }

  async function free(entity: Entity, path: string): Promise<string> {
    for (let count = 1; ; count++) {
      const other = count === 1 ? path : path.replace(/(?=\.[^.]*$)/, ` ${count}`);
      if (other === entity.path || !(await draft.read(other))) return other;
    }
  }

  /** Of two decisions of which one replaces the other, both say so. */
  async function linkSuperseded(entity: Entity, values: Data): Promise<void> {
    if (entity.type !== 'decision' || typeof values.supersedes !== 'string') return;
    const old = get(values.supersedes);
    if (!old || old.id === entity.id || old.type !== 'decision') {
      throw new ToolFailure('validation', 'A decision supersedes another decision.', { field: 'supersedes' });
    }
    const [other = entity.id] = idsIn(old.values.superseded_by);
    if (other !== entity.id) {
      throw new ToolFailure('conflict', `${old.id} is superseded by ${other} already.`, {
        field: 'supersedes',
        hint: `Let this one supersede ${other}, or empty superseded_by of ${old.id} first.`,
      });
    }
    const { entity: present, text } = await asWritten(old);
    const known = basesFor(present, bodyOf(text), undefined).of('status');
    if (isOfForm(present, 'status') && known?.values.status !== present.status)
      warnings = [...warnings, `${old.id}: its status was ${present.status} and is superseded now.`];
    await rewrite(old, { status: 'superseded', superseded_by: entity.id }, undefined, undefined);
    wrote(old.id, ['status', 'superseded_by']);
  }

  /** Later than before, also where two changes fall into one millisecond. */
  function stampAfter(before: string): string {
    const last = Date.parse(before);
    return new Date(Number.isNaN(last) ? now() : Math.max(now().getTime(), last + 1)).toISOString();
  }

  return {
    ...lookup,
    create,
    update,
    claim: (type) => {
      const id = nextId(type);
      given = { ...given, [type]: numbers()[type] + 1 };
      return id;
    },
    notesOf: entities.sharing,
    moved: (from, to) => followMoved(draft, canvases, from, to),
    changed: () => [...changed.values()],
    own: () => own,
    warnings: () => warnings,
    numbers,
    children,
    dependents: (id) => having(entities.dependents(id), (entity) => entity.dependsOn.includes(id)),
    text: textOf,
    savepoint: () => {
      const [entitiesBefore, ownBefore, undoDraft] = [new Map(changed), new Map(own), draft.savepoint()];
      const said = warnings;
      return () => {
        changed = entitiesBefore;
        own = ownBefore;
        warnings = said;
        undoDraft();
      };
    },
  };
}

/** Written with whatever else is written. */
const stamps: ReadonlySet<string> = new Set(['updated', 'archived_from', 'archived_with']);

const short = (text: string) => (text.length <= 200 ? text : `${text.slice(0, 200)}…`);

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
