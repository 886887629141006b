import { type DetailsOf, deserializeError, type ErrorCode, isAppError } from '../../../contract/errors';
import type { ServerReason } from '../../../contract/server-reasons';
import { differenceWords, fieldWord } from './entity-words';
import { faultText } from './fault-words';
import { problemText } from './finding-words';
import { bytes, listed, longTime } from './format';
import { t, useLanguage } from './text';

/** What happened, for a person, in their language. What others said of it, a server or a provider, is in their words. */
export function failureText(error: unknown): string {
  if (!isAppError(error)) return t('failure.unexpected');
  const say = words[error.code] as (details: object, message: string) => string;
  return say(error.details, error.message);
}

/** Why a server is as it is. */
export const reasonText = (reason: ServerReason): string =>
  reason.code === 'failure' ? failureText(deserializeError(reason.error)) : faultText(reason);

const words: { readonly [C in ErrorCode]: (details: DetailsOf<C>, message: string) => string } = {
  'request.invalid': ({ issues }, message) =>
    // Without any it is the window's own, and in its language already.
    issues.length === 0 ? message : withIssues('error.request.invalid', issues, message),
  'request.unknown': (details, message) => t('error.request.unknown', { ...details, message }),
  'request.cancelled': (_, message) => t('error.request.cancelled', { message }),
  'connection.lost': () => t('error.connection.lost'),
  'connection.none': () => t('error.connection.none'),
  'connection.stale': (_, message) => t('error.connection.stale', { message }),
  'connection.refused': (_, message) => t('error.connection.refused', { message }),
  'host.unsupported': (_, message) => t('error.host.unsupported', { message }),
  'vault.none': (_, message) => t('error.vault.none', { message }),
  'vault.lost': (details, message) => t('error.vault.lost', { ...details, message }),
  'vault.not-found': (details, message) => t('error.vault.not-found', { ...details, message }),
  'vault.not-a-folder': (details, message) => t('error.vault.not-a-folder', { ...details, message }),
  'vault.outside': (details, message) => t('error.vault.outside', { ...details, message }),
  'vault.exists': (details, message) => t('error.vault.exists', { ...details, message }),
  'vault.changed': (details, message) => t('error.vault.changed', { ...details, message }),
  'vault.read-only': (details, message) => t('error.vault.read-only', { ...details, message }),
  'vault.disk-full': (details, message) => t('error.vault.disk-full', { ...details, message }),
  'vault.too-large': ({ path, bytes: size, limit }, message) =>
    t('error.vault.too-large', { path, size: bytes(size), most: bytes(limit), message }),
  'vault.not-text': (details, message) => t('error.vault.not-text', { ...details, message }),
  'vault.untrusted': (_, message) => t('error.vault.untrusted', { message }),
  'vault.busy': ({ notes }, message) => t('error.vault.busy', { notes: listed(notes), message }),
  'note.session-gone': (details, message) => t('error.note.session-gone', { ...details, message }),
  'note.not-kept': (details, message) => t('error.note.not-kept', { ...details, message }),
  'versions.unknown': (details, message) => t('error.versions.unknown', { ...details, message }),
  'versions.damaged': (_, message) => t('error.versions.damaged', { message }),
  'versions.changed': ({ path }, message) => t('error.versions.changed', { path, message }),
  'recovery.unknown': (details, message) => t('error.recovery.unknown', { ...details, message }),
  'chat.busy': (_, message) => t('error.chat.busy', { message }),
  'chat.nothing-to-answer': ({ why, name }, message) =>
    why === 'no-message'
      ? t('error.chat.nothing-to-answer', { message })
      : t(`error.chat.nothing-to-answer.${why}`, { name, message }),
  'chat.changes-below': (_, message) => t('error.chat.changes-below', { message }),
  'chat.no-provider': ({ tag, waitsForTrust }, message) =>
    tag === null
      ? t('error.chat.no-provider.none', { message })
      : t(waitsForTrust ? 'error.chat.no-provider.waits' : 'error.chat.no-provider', { tag, message }),
  'mcp.unknown-server': (_, message) => t('error.mcp.unknown-server', { message }),
  'mcp.invalid-config': ({ issues }, message) => withIssues('error.mcp.invalid-config', issues, message),
  'mcp.name-taken': (details) => t('error.mcp.name-taken', details),
  'mcp.unreachable': ({ reason, fault }, message) =>
    t('error.mcp.unreachable', { reason: fault ? faultText(fault) : reason, message }),
  'mcp.sign-in-needed': (_, message) => t('error.mcp.sign-in-needed', { message }),
  'mcp.sign-in-failed': (details, message) => t('error.mcp.sign-in-failed', { ...details, message }),
  'mcp.not-revoked': (details, message) => t('error.mcp.not-revoked', { ...details, message }),
  'mcp.protocol': ({ reason, fault }, message) =>
    t('error.mcp.protocol', { reason: fault ? faultText(fault) : reason, message }),
  'mcp.task-ended': ({ how, reason }, message) => {
    const what = t(`error.task.${how}`);
    return reason === ''
      ? t('error.mcp.task-ended.plain', { how: what, message })
      : t('error.mcp.task-ended', { how: what, reason, message });
  },
  'tool.unknown': ({ tool, nearest }, message) =>
    nearest.length === 0
      ? t('error.tool.unknown', { tool, message })
      : t('error.tool.unknown.nearest', { tool, nearest: listed(nearest), message }),
  'tool.changed': (details, message) => t('error.tool.changed', { ...details, message }),
  'tool.invalid-arguments': ({ tool, issues }, message) =>
    withIssues('error.tool.invalid-arguments', issues, message, tool),
  'tool.denied': ({ tool, by, reason }, message) => {
    const why =
      by === 'person' && reason !== '' ? t('history.deniedBecause', { reason }) : t(`history.denied.${by}`);
    return t('error.tool.denied', { tool, why, message });
  },
  'tool.timed-out': ({ tool, afterMs }, message) =>
    t('error.tool.timed-out', { tool, time: longTime(afterMs), message }),
  'view.gone': (_, message) => t('error.view.gone', { message }),
  'view.refused': (details, message) => t('error.view.refused', { ...details, message }),
  'provider.unknown': (details, message) => t('error.provider.unknown', { ...details, message }),
  'provider.failed': ({ provider, failure, status, retryAfterMs, finding }, message) => {
    if (finding)
      return t('error.provider.why', { message, what: problemText({ finding, message, next: '' }) });
    const what = { provider, what: t(`providers.checkFailed.${failure}`), message };
    const sentence =
      status === null
        ? t('error.provider.failed', what)
        : t('error.provider.failed.status', { ...what, status });
    return retryAfterMs === null || isEnglish()
      ? sentence
      : sentence + t('error.provider.retry', { time: longTime(retryAfterMs), message });
  },
  'project.refused': refusedText,
  'settings.tag-taken': ({ tag, held, claim }) =>
    held === claim
      ? t('error.settings.tag-taken.model', { tag })
      : t('error.settings.tag-taken', { tag, a: t(`tag.means.${held}`), b: t(`tag.means.${claim}`) }),
  'settings.changed': (_, message) => t('error.settings.changed', { message }),
  'settings.invalid': ({ issues }, message) => withIssues('error.settings.invalid', issues, message),
  'data.unavailable': (details, message) => t('error.data.unavailable', { ...details, message }),
  'secrets.unavailable': (details, message) => t('error.secrets.unavailable', { ...details, message }),
  internal: (_, message) => t('error.internal', { message }),
};

const isEnglish = () => useLanguage.getState().language === 'en';

type WithIssues =
  | 'error.request.invalid'
  | 'error.mcp.invalid-config'
  | 'error.settings.invalid'
  | 'error.tool.invalid-arguments';

function withIssues(key: WithIssues, issues: readonly string[], message: string, tool = ''): string {
  const sentence = t(key, { issues: issues.join('; '), tool, message });
  // The core's message often is the first of them.
  return isEnglish()
    ? [sentence, ...issues.filter((issue) => !sentence.includes(issue))].join('\n')
    : sentence;
}

function refusedText(
  { reason, field, hint, differences }: DetailsOf<'project.refused'>,
  message: string,
): string {
  const why = t(`error.project.${reason}`);
  const sentence =
    field === null
      ? t('error.project.refused', { why, message })
      : t('error.project.refused.field', { why, message, field: fieldWord(field) });
  const lines = differences.length > 0 ? [t('refused.again'), ...differences.map(differenceWords)] : [hint];
  return [sentence, ...lines].filter(Boolean).join('\n');
}
