import { createHash } from 'node:crypto';
import { revisionLength } from '../../base/hash';
import { type Entity, parseId, writableFields } from '../model/model';

/** That somebody was handed fields of an entity as it was at a revision. */
export interface Reading {
  readonly revision: string;
  has(field: string): boolean;
}

/** Of a caller that has the whole note before its eyes. */
export const wholeReading = (revision: string): Reading => ({ revision, has: () => true });

/**
 * A revision as callers are given it: the hash alone says which bytes were there, what follows says which fields came with
 * it: `*` all, else bits of the fields of the type, and a short hash of each other one. So it tells the same whoever
 * presents it, also to a server that was started since.
 */
export function printReading(entity: Entity, has: (field: string) => boolean): string {
  const { id, revision, values } = entity;
  if (has('body') && Object.keys(values).every((field) => ownStamps.has(field) || has(field)))
    return `${revision}*`;
  const order = orderFor(id);
  const bits = order.reduce((sum, field, at) => sum + (has(field) ? 2 ** at : 0), 0);
  const others = Object.keys(values).filter(
    (field) => !ownStamps.has(field) && !order.includes(field) && has(field),
  );
  return [`${revision}${bits > 0 ? `.${bits.toString(36)}` : ''}`, ...others.map(shortName)].join('~');
}

/** What is not one of these was handed to nobody with anything. */
export function readReading(id: string, printed: string): Reading {
  const [, all, bits = '0', others = ''] = pattern.exec(printed.slice(revisionLength)) ?? [];
  const mask = Number.parseInt(bits, 36);
  const order = orderFor(id);
  const marks = new Set(others.split('~').slice(1));
  return {
    revision: hashIn(printed),
    has: (field) => {
      if (all !== undefined) return true;
      const at = order.indexOf(field);
      return at === -1 ? marks.has(shortName(field)) : Math.floor(mask / 2 ** at) % 2 === 1;
    },
  };
}

const pattern = /^(?:(\*)|(?:\.([0-9a-z]{1,8}))?((?:~[0-9a-z]{3})*))$/;

function hashIn(printed: string): string {
  return pattern.test(printed.slice(revisionLength)) ? printed.slice(0, revisionLength) : printed;
}

/** Written with whatever else is written: nobody needs to have read them. */
const ownStamps: ReadonlySet<string> = new Set([
  ...['id', 'type', 'created', 'updated'],
  ...['archived_from', 'archived_with'],
]);

/** What an answer shows of every type comes first: then the bits are few. Places of fields never change. */
const first = ['title', 'status', 'priority', 'workstream', 'parent', 'depends_on', 'archived', 'body'];
const second = ['tags', 'canvas_source'];

function orderFor(id: string): readonly string[] {
  const type = parseId(id)?.type;
  const own = type === undefined ? [] : [...writableFields(type).keys()];
  return [...first, ...second, ...own.filter((field) => !first.includes(field) && !second.includes(field))];
}

function shortName(field: string): string {
  const number = createHash('sha256').update(field).digest().readUInt32BE() % 36 ** 3;
  return number.toString(36).padStart(3, '0');
}
