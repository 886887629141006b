import { AppError, isAppError } from '../../contract/errors';
import type { ToolFailure, toFailure } from '../../entities/project';

const again = 'Nothing was written. If yours is to hold against this, do it again:';

/** What the store refuses, with its hint; what is wrong inside stays as it was thrown. */
export function translated(error: unknown, readFailure: typeof toFailure): unknown {
  if (isAppError(error)) return error;
  const { code, message, field = null, hint: advice = null, difference } = readFailure(error);
  const differences = [...((error as Partial<ToolFailure>).differences ?? [])];
  // What a program is to send again is nothing that a person could do.
  const isWhole = difference === undefined || differences.length > 0;
  const hint = difference === undefined ? advice : isWhole ? null : `${again}\n${difference}`;
  const details = { field, hint, differences };
  switch (code) {
    case 'not_found':
    case 'validation':
    case 'conflict':
    case 'cycle':
    case 'unresolved_reference':
    case 'read_only':
    case 'too_large':
      return new AppError('project.refused', message, { reason: code, ...details }, { cause: error });
    case 'path_outside_vault':
      return new AppError('vault.outside', message, { path: '' }, { cause: error });
    case 'client_id_conflict':
    case 'revision_needed':
      return error;
    case 'internal':
      return isDiskFull(error)
        ? new AppError('project.refused', message, { reason: 'disk_full', ...details }, { cause: error })
        : error;
  }
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
