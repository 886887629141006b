import '../contract/no-eval';
import * as z from 'zod';
import type { Operations } from '../contract/define';

const hashes = new WeakMap<Operations, string>();

/** Of the frames: whoever knows only older ones would not answer the newer. */
const protocol = 2;

/** The same for two builds that mean the same by every operation, in whatever order they declare it. */
export function tableHash(operations: Operations): string {
  let hash = hashes.get(operations);
  if (hash === undefined) {
    hash = hashText(canonical([protocol, described(operations)]));
    hashes.set(operations, hash);
  }
  return hash;
}

function described(operations: Operations): unknown {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    operation.kind === 'call'
      ? { kind: 'call', input: shape(operation.input), output: shape(operation.output) }
      : {
          kind: operation.isState ? 'state' : 'stream',
          input: shape(operation.input),
          item: shape(operation.item),
        },
  ]);
  return Object.fromEntries(entries);
}

function shape(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}

/** FNV-1a, twice with different seeds. Tells builds apart; protects nothing. */
function hashText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x01000193) + index;
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
