import type { z } from 'zod';
import { ToolFailure } from './failures';

/** A place to go on from, opaque to the caller. */
export function printCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

export function readCursor<S extends z.ZodType>(shape: S, cursor: string): z.output<S> {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new ToolFailure('validation', 'The cursor is not one that this tool gave.', { field: 'cursor' });
  }
}
