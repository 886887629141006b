import { isAppError } from '../../contract/errors';
import { t } from './text';

/** What happened, for a person. The core's own failures say it already. */
export function failureText(error: unknown): string {
  if (isAppError(error, 'connection.lost')) return t('failure.connectionLost');
  if (
    isAppError(error, 'request.invalid', 'mcp.invalid-config', 'settings.invalid', 'tool.invalid-arguments')
  ) {
    return [error.message, ...error.details.issues].join('\n');
  }
  if (isAppError(error, 'project.refused')) {
    return [error.message, error.details.hint].filter(Boolean).join('\n');
  }
  return isAppError(error) ? error.message : t('failure.unexpected');
}
