import { createHash } from 'node:crypto';

/** Tells a text from another one; short, because models carry it around. */
export function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}

/** The same for an entity's note, shorter still: it comes with every entity that is read. */
export function revisionOf(data: string | Uint8Array): string {
  return hashOf(data).slice(0, revisionLength);
}

export const revisionLength = 8;
