import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ToolFailure } from '../entities/base/failures';

/** What a cursor goes on with: a tool, and what decides its answer. */
export type CursorKey = readonly [tool: string, ...args: unknown[]];

const hint = 'Leave the other arguments as they were, or leave the cursor out.';

/** A place to go on from, opaque to the caller, in the answer to what was asked and to nothing else. */
export function printCursor(place: object, cursorKey: CursorKey): string {
  return printName({ ...place, asked: digest(cursorKey) });
}

export function readCursor<S extends z.ZodType>(shape: S, cursor: string, cursorKey: CursorKey): z.output<S> {
  if (readName(Bound, cursor).asked !== digest(cursorKey)) throw ofAnother();
  return readName(shape, cursor);
}

export function ofAnother(): ToolFailure {
  return new ToolFailure('conflict', 'The cursor belongs to another request.', { field: 'cursor', hint });
}

const Bound = z.object({ asked: z.string() });

/** The name of something that waits here, and knows itself what it belongs to. */
export function printName(place: object): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

export function readName<S extends z.ZodType>(shape: S, cursor: string): z.output<S> {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new ToolFailure('validation', 'The cursor is not one that this tool gave.', {
      field: 'cursor',
      hint,
    });
  }
}

function digest(cursorKey: CursorKey): string {
  return createHash('sha256').update(JSON.stringify(cursorKey)).digest('base64url').slice(0, 12);
}
