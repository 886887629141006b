import { whyNoName } from '../../files';
import { yamlFlow } from '../../markdown';
import { hashOf } from '../base/hash';
import type { Entities } from '../entity/index/entities';
import {
  compareIds,
  type Entity,
  idsIn,
  kinds,
  numberOf,
  parseId,
  printId,
  referenceFields,
} from '../entity/model/model';
import { lastGiven } from '../entity/model/numbers';
import { isDecided } from '../entity/note/read';
import type { Trouble } from '../entity/note/trouble';
import { ancestorsOf, replacedBy } from '../entity/references/references';
import { needsOf } from '../entity/references/waiting';
import { isNote } from '../store/workspaces';
import { brokenReferences, circlesOf, circlesOfParents } from './analysis';
import { badFields, plainKey } from './field-check';
import type { Finding, FindingCode, Repair } from './finding';

type Found = Omit<Finding, 'key' | 'withAll'>;

/** Everything in the notes of a project that is invalid, or that nothing else would show. */
export function diagnose(entities: Entities): readonly Finding[] {
  const all = entities.all();
  const findings = [
    ...invisible(entities),
    ...duplicates(entities),
    ...all.flatMap(({ id }) => entities.sharing(id)).flatMap((entity) => ofOne(entity, entities)),
    ...circles(all, entities),
  ];
  return findings.map(withKey);
}

export function withKey(finding: Found): Finding {
  return { key: keyOf(finding), withAll: isRepairedWithAll(finding), ...finding };
}

/**
 * A link to what is not there (any more, or not yet) is a person's text: nobody cuts it who was not asked for it. Nor is
 * what a person has to look at taken as seen.
 */
function isRepairedWithAll({ code, id, field, value, repair }: Found): boolean {
  // A key that is only near to one of ours may be another program's.
  if (code === 'misnamed_field' && plainKey(field ?? '') !== value) return false;
  // Somebody may count in days.
  if (code === 'id_too_high' && (parseId(id ?? '')?.number ?? farthest) < farthest) return false;
  // A node or an edge that leads nowhere was drawn by somebody.
  if ((code === 'dead_node' || code === 'loose_edge') && repair?.kind === 'drop') return false;
  return repair !== null && code !== 'no_such_entity' && code !== 'half_undone' && code !== 'half_done';
}

/** Of nine digits, nearly all. */
const farthest = 900_000_000;

function keyOf({ code, path, field, value }: Found): string {
  return hashOf(JSON.stringify([code, path, field, value])).slice(0, 6);
}

/** What the vault leaves out, and notes that say what nobody can read. */
function invisible(entities: Entities): Found[] {
  const all = [...hiddenFolders(entities), ...unusable(entities), ...noFiles(entities)];
  for (const [path, trouble] of entities.troubled()) {
    switch (trouble.kind) {
      case 'unreadable': {
        const { id, problem, isMendable } = trouble;
        // What is no entity is no business of a project.
        if (id !== null)
          all.push({ ...of('unreadable', path, id), value: problem, repair: mendOf(isMendable) });
        break;
      }
      case 'unclosed':
        all.push({ ...of('unclosed', path, trouble.id), repair: mendOf(trouble.isMendable) });
        break;
      case 'no-id':
        all.push(withoutId(path, trouble, entities));
        break;
      case 'too-large':
        all.push(of('too_large', path, trouble.id));
    }
  }
  return all;
}

/** What somebody has thrown away, nobody misses. */
const trash = /(?:^|\/)\.trash(?:-\d+)?(?:$|\/)/i;

/** Programs keep hidden copies of what they work on; an id that nobody else has is told of. */
function hiddenFolders(entities: Entities): Found[] {
  const within = new Map<string, string[]>();
  for (const { path, within: folder, id } of entities.leftOut()) {
    if (folder === null || id === null || entities.get(id) || nameIn(path).startsWith('._')) continue;
    if (nameIn(folder).startsWith('.') && !trash.test(path))
      within.set(folder, [...(within.get(folder) ?? []), id]);
  }
  return [...within].map(([folder, ids]) => ({
    ...of('hidden', folder),
    value: [...new Set(ids)].sort(compareIds).join(', ').slice(0, 200),
  }));
}

function noFiles(entities: Entities): Found[] {
  return entities.leftOut().flatMap(({ path, within, kind, lostTarget }): Found[] => {
    if (within !== null || nameIn(path).startsWith('.')) return [];
    if (kind === 'other') return [of('no_file', path)];
    return lostTarget === null ? [] : [{ ...of('dead_link', path), value: lostTarget }];
  });
}

function unusable(entities: Entities): Found[] {
  const chosen = new Set<string>();
  /** A name that nothing else there has. */
  const renamed = (path: string, name: string): Repair => {
    const folder = path.slice(0, path.length - nameIn(path).length);
    const isTaken = (each: string) => entities.isTaken(folder + each) || chosen.has(folder + each);
    let to = name;
    for (let count = 2; isTaken(to); count++) to = name.replace(/(?=\.[^.]*$|$)/, ` ${count}`);
    chosen.add(folder + to);
    return { kind: 'rename', to };
  };
  return entities.leftOut().flatMap(({ path, within, kind, isUtf8, place, id }): Found[] => {
    if (within !== null || kind === 'other' || kind === 'link') return [];
    if (kind === 'file' && !isNote(path) && !path.endsWith('.canvas')) return [];
    const name = nameIn(path);
    if (name.startsWith('.')) {
      const isOwn = kind === 'file' && id !== null && !entities.get(id) && !name.startsWith('._');
      return isOwn
        ? [{ ...of('hidden', path, id), repair: renamed(path, usableName(name.replace(/^[.~]+/, ''))) }]
        : [];
    }
    const value = isUtf8 ? whyNoName(name) : 'it is not written in UTF-8.';
    const bytes = place.subarray(place.lastIndexOf('/') + 1);
    const to = usableName(isUtf8 ? name : bytes.toString('latin1'));
    return value === null ? [] : [{ ...of('unusable_name', path), value, repair: renamed(path, to) }];
  });
}

const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The id that it seems to have had comes back, unless somebody has it. */
function withoutId(
  path: string,
  { type, id, isTooHigh }: Extract<Trouble, { kind: 'no-id' }>,
  entities: Entities,
): Found {
  if (isTooHigh) return { ...of('id_too_high', path), value: type, repair: { kind: 'new-id' } };
  const own = id !== null && !entities.get(id) ? id : null;
  const repair: Repair = own === null ? { kind: 'new-id' } : { kind: 'set', field: 'id', to: own };
  return { ...of('no_id', path, own), value: type, repair };
}

function mendOf(isMendable: boolean): Repair | null {
  return isMendable ? { kind: 'mend' } : null;
}

/** The first keeps the id. One that is written with other digits is the same number. */
function duplicates(entities: Entities): Found[] {
  const double = (path: string, id: string): Found => ({
    ...of('duplicate_id', path, id),
    repair: { kind: 'new-id' },
  });
  const same = [...entities.duplicates().keys()].flatMap((id) =>
    entities
      .sharing(id)
      .slice(1)
      .map(({ path }) => double(path, id)),
  );
  const byNumber = [...Map.groupBy(entities.all(), ({ order }) => order).values()];
  const alike = byNumber.flatMap((all) => {
    const usual = all.find(({ id, type, order }) => id === printId(type, order % 1e9)) ?? all[0];
    return all.filter((each) => each !== usual).map(({ path, id }) => double(path, id));
  });
  return [...same, ...alike];
}

function ofOne(entity: Entity, entities: Entities): Found[] {
  const { id, path, type, values, status } = entity;
  const problems: Found[] = badFields(entity, entities).map(({ value, ...bad }) => ({
    ...of(bad.code, path, id),
    ...bad,
    value: printed(value),
  }));
  const add = (code: FindingCode, field: string, repair: Repair | null, value: unknown): void => {
    problems.push({ ...of(code, path, id), field, value: printed(value), repair });
  };
  // A double id is another one soon.
  if (numberOf(entity) > lastGiven && entities.sharing(id)[0] === entity) {
    problems.push({ ...of('id_too_high', path, id), repair: { kind: 'new-id' } });
  }
  const problem = entities.unread(path)?.problem ?? null;
  if (problem !== null) problems.push({ ...of('unreadable', path, id), value: problem });
  if (status === 'pending' && isDecided(type, values)) {
    add('decided_but_pending', 'status', { kind: 'set', field: 'status', to: 'decided' }, values.status);
  }
  for (const { field, missing } of brokenReferences(entity, entities)) {
    // Whoever bears it may come back; a link is what somebody wrote.
    const repair: Repair | null = entities.isBorne(missing) ? null : { kind: 'drop', field, id: missing };
    add('no_such_entity', field, repair, missing);
  }
  for (const field of referenceFields(type)) {
    // A circle of one, as far as nothing else calls it that.
    const isKnown = field === 'parent' || field === 'depends_on' || field.startsWith('supersede');
    if (isKnown || !idsIn(values[field]).includes(id)) continue;
    add('circle', field, { kind: 'drop', field, id }, `${id} → ${id}`);
  }
  const parent = entity.parent === null ? undefined : entities.get(entity.parent);
  if (parent && !kinds[type].parents.includes(parent.type)) {
    add('wrong_parent', 'parent', { kind: 'drop', field: 'parent', id: parent.id }, parent.id);
  }
  const above = entity.dependsOn.length === 0 ? [] : ancestorsOf(id, entities);
  for (const whole of entity.dependsOn.filter((needed) => above.includes(needed))) {
    add('waits_for_its_whole', 'depends_on', { kind: 'drop', field: 'depends_on', id: whole }, whole);
  }
  return problems;
}

/** Each is opened where it closes, but those of decisions. */
function circles(all: readonly Entity[], entities: Entities): Found[] {
  const replaced = replacedBy(all);
  const broken = (circle: readonly string[], field: string): Found[] => {
    const last = entities.get(circle.at(-2) ?? '');
    const first = circle[0];
    if (!last || first === undefined) return [];
    // Either of the two may be the one that says so.
    const says = idsIn(last.values[field]).includes(first);
    const [entity, own, id] = says ? [last, field, first] : [entities.get(first), 'superseded_by', last.id];
    if (!entity) return [];
    const repair: Repair = { kind: 'drop', field: own, id };
    return [{ ...of('circle', entity.path, entity.id), field: own, value: circle.join(' → '), repair }];
  };
  /** Which of two decisions replaced the other, a person knows; a step that only one of both tells of came in by mistake. */
  const replacing = (circle: readonly string[]): Found[] => {
    const steps = circle.slice(1).flatMap((older, at) => {
      const [newer, other] = [entities.get(circle[at] ?? ''), entities.get(older)];
      if (!newer || !other) return [];
      const says = idsIn(newer.values.supersedes).includes(older);
      const isSaidBack = idsIn(other.values.superseded_by).includes(newer.id);
      return says === isSaidBack ? [] : [{ newer, other, says }];
    });
    const [first] = broken(circle, 'supersedes');
    const [step, another] = steps;
    if (!first || !step || another) return first ? [{ ...first, repair: null }] : [];
    const [entity, field, id] = step.says
      ? [step.newer, 'supersedes', step.other.id]
      : [step.other, 'superseded_by', step.newer.id];
    const repair: Repair = { kind: 'drop', field, id };
    return [{ ...of('circle', entity.path, entity.id), field, value: circle.join(' → '), repair }];
  };
  const withPast = all.filter(({ id }) => replaced.has(id));
  return [
    ...circlesOf(all, (entity) => entity.dependsOn, entities).flatMap((ids) => broken(ids, 'depends_on')),
    ...circlesOfParents(all, entities).flatMap((ids) => broken(ids, 'parent')),
    ...circlesOf(withPast, ({ id }) => replaced.get(id) ?? [], entities).flatMap(replacing),
    ...circlesOf(all, needsOf(entities), entities).flatMap((ids) => deadlock(ids, entities)),
  ];
}

/** A circle of more than one relation, opened at a dependency; those of one relation are told as such. */
function deadlock(circle: readonly string[], entities: Entities): Found[] {
  const steps = circle.slice(1).map((needed, at) => ({ needed, entity: entities.get(circle[at] ?? '') }));
  const depends = steps.filter(({ needed, entity }) => entity?.dependsOn.includes(needed));
  const { entity, needed = '' } = depends.at(-1) ?? {};
  if (!entity || depends.length === steps.length) return [];
  const isToldOf = depends.some(
    (each) => each.entity && ancestorsOf(each.entity.id, entities).includes(each.needed),
  );
  if (isToldOf) return [];
  const repair: Repair = { kind: 'drop', field: 'depends_on', id: needed };
  return [
    {
      ...of('deadlock', entity.path, entity.id),
      field: 'depends_on',
      value: circle.join(' → '),
      repair,
    },
  ];
}

function of(code: FindingCode, path: string, id: string | null = null): Found {
  return { code, path, id, field: null, value: null, repair: null };
}

function printed(value: unknown): string {
  return (typeof value === 'string' ? value : yamlFlow(value ?? null)).slice(0, 200);
}

const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** As near to the old name as every file system can have it. */
function usableName(name: string): string {
  const safe = name
    .replace(/(?:(?<!\s)\s+)?[:\\*?"<>|\p{Cc}]+\s*/gu, ' ')
    .replace(reserved, '$1_')
    .replace(/(?<![. ])[. ]+$/, '')
    .replace(/(?<! ) +(?=\.[^.]*$)/, '')
    .trim();
  return safe === '' ? 'Unnamed' : safe;
}
