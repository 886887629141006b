import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../contract/errors';

/** Refuses to replace what the caller has not seen. Undefined: the caller replaces whatever is there. */
export function throwUnlessSeen(seen: unknown, now: unknown): void {
  if (seen === undefined || isDeepStrictEqual(plain(seen), plain(now))) return;
  throw new AppError('settings.changed', 'It has been changed meanwhile. Nothing was saved.', {});
}

/** As it goes through JSON: a key without a value is none. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
