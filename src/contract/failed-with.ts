import { type AppError, isAppError } from './errors';
import type { ErrorsOf } from './operation-errors';
import type { AppOperations } from './operations';

/** Whether asking for `operation` failed in one of these ways. A code that it cannot fail with does not compile. */
export function failedWith<N extends keyof AppOperations, C extends ErrorsOf<AppOperations[N]>>(
  _operation: N,
  error: unknown,
  ...codes: C[]
): error is { [K in C]: AppError<K> }[C] {
  return isAppError(error, ...codes);
}
