import { isAppError } from '../../../contract/errors';
import { differenceWords } from './entity-words';
import { t } from './text';

/** What happened, for a person. The core's own failures say it already. */
export function failureText(error: unknown): string {
  if (isAppError(error, 'connection.lost')) return t('failure.connectionLost');
  if (isAppError(error, 'connection.none')) return t('failure.notConnected');
  if (
    isAppError(error, 'request.invalid', 'mcp.invalid-config', 'settings.invalid', 'tool.invalid-arguments')
  ) {
    const { message, details } = error;
    // The message often is the first of them.
    return [message, ...details.issues.filter((issue) => !message.includes(issue))].join('\n');
  }
  if (isAppError(error, 'mcp.name-taken')) return t('failure.nameTaken', error.details);
  if (isAppError(error, 'settings.tag-taken')) {
    const { tag, held, wanted } = error.details;
    return held === wanted
      ? t('failure.tagOfModel', { tag })
      : t('failure.tagTaken', { tag, a: t(`tag.means.${held}`), b: t(`tag.means.${wanted}`) });
  }
  if (isAppError(error, 'project.refused')) {
    const { hint, differences } = error.details;
    const lines = differences.length > 0 ? [t('refused.again'), ...differences.map(differenceWords)] : [hint];
    return [error.message, ...lines].filter(Boolean).join('\n');
  }
  return isAppError(error) ? error.message : t('failure.unexpected');
}
