import { ToolFailure } from '../failures';
import { unifiedDiff } from '../unified-diff';
import { mergeTexts } from './merge-text';
import type { Entity } from './model';
import type { ChangeRequest } from './validate';
import type { Version } from './versions';

const longestValue = 120;
const longestDiff = 1_500;

/**
 * A change that was made to a version that is not the present one: what both sides changed in different places is kept
 * of both; where they meet it is refused with the difference and the present revision. The answer is the body to write.
 */
export function bodyOfLate(parts: {
  readonly entity: Entity;
  /** Null: nobody here knows that version any more. */
  readonly base: Version | null;
  readonly body: string;
  readonly request: ChangeRequest;
}): string | undefined {
  const { entity, base, body, request } = parts;
  const differences: string[] = [];
  for (const [key, wanted] of [...Object.entries(request.values), ['archived', request.archived] as const]) {
    if (key === 'archived' && wanted === undefined) continue;
    const now = key === 'archived' ? entity.archived : entity.values[key];
    const read = key === 'archived' ? base?.archived : base?.values[key];
    if (isSame(now, wanted) || (base && isSame(read, now))) continue;
    const since = base ? `${shown(read)} → ${shown(now)}` : `${shown(now)} now`;
    differences.push(`${key}: ${since} (yours: ${shown(wanted)})`);
  }
  const merged = mergedBody(base, body, request.body);
  if (merged === null) {
    const read = base?.body ?? null;
    const [heading, diff] =
      read === null
        ? [
            'body, from what is there now (-) to yours (+)',
            unifiedDiff(entity.id, body, plainBody(request.body)),
          ]
        : ['body, from what was read (-) to what is there now (+)', unifiedDiff(entity.id, read, body)];
    differences.push(`${heading}:\n${cut(diff, longestDiff)}`);
  }
  if (differences.length === 0) return merged ?? undefined;
  throw new ToolFailure('conflict', `${entity.id} was changed since it was read.`, {
    field: 'revision',
    hint: `Nothing was written.${base ? '' : ' What it was when it was read is not known here any more, so this is what differs now.'} Read it again, or repeat with the present revision what should hold against this difference.`,
    revision: entity.revision,
    difference: differences.join('\n'),
  });
}

function mergedBody(base: Version | null, now: string, wanted: string | undefined) {
  if (wanted === undefined) return undefined;
  const own = plainBody(wanted);
  if (own === now) return own;
  return base?.body === null || base === null ? null : mergeTexts(base.body, now, own);
}

function plainBody(body = ''): string {
  return body.replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd();
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function shown(value: unknown): string {
  return cut(typeof value === 'string' ? value : JSON.stringify(value ?? null), longestValue);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
