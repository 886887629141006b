import './no-eval';
import * as z from 'zod';

export type Json = z.core.util.JSONType;

interface Most {
  readonly depth: number;
  readonly values: number;
}

/** What crosses the bridge as data; a page would choke on more. */
const mostData: Most = { depth: 600, values: 2_000_000 };
const mostArguments: Most = { depth: 200, values: 100_000 };

/** Why JSON cannot carry this value as it is; null: it can. Does not recurse itself. */
export function jsonFault(value: unknown, most: Most = mostData): string | null {
  let level: unknown[] = [value];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most.depth) return `is nested more than ${most.depth} levels deep`;
    const next: unknown[] = [];
    for (const item of level) {
      const fault = faultOf(item);
      if (fault !== null) return fault;
      if (typeof item !== 'object' || item === null) continue;
      const inside = Array.isArray(item) ? Array.from(item) : Object.values(item);
      values += inside.length;
      if (values > most.values) return `has more than ${most.values.toLocaleString('en')} values`;
      for (const one of inside) next.push(one);
    }
    level = next;
  }
  return null;
}

function faultOf(item: unknown): string | null {
  switch (typeof item) {
    case 'string':
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(item) ? null : 'holds a number that is too large for JSON';
    case 'object':
      return item === null || Array.isArray(item) || isPlain(item) ? null : 'holds something that is no JSON';
    default:
      return 'holds something that is no JSON';
  }
}

/** Also where it comes from another realm. */
function isPlain(item: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Why something cannot be the arguments of a call; null: it can. Some programs take `__proto__` for more than a name. */
export function argumentsFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object';
  return jsonFault(value, mostArguments) ?? (hasPrototypeKey(value) ? 'has a key “__proto__”' : null);
}

function hasPrototypeKey(value: object): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== 'object' || item === null) continue;
    if (Object.hasOwn(item, '__proto__')) return true;
    for (const inside of Object.values(item)) open.push(inside);
  }
  return false;
}

function fitting<T>(faultOf: (value: unknown) => string | null) {
  return z.custom<T>().superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault !== null) context.addIssue({ code: 'custom', message: `It ${fault}.` });
  });
}

/** Any JSON, handed on as it is: nothing is dropped from it, and what cannot cross is refused. */
export const Json = fitting<Json>((value) => jsonFault(value));

export const JsonObject = fitting<Record<string, Json>>((value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? jsonFault(value)
    : 'is no JSON object',
);

/** Of a tool's call. */
export const CallArguments = fitting<Record<string, Json>>(argumentsFault);
