import type { ProviderCheck } from '../../../contract/providers';
import { failureText } from '../../base/text/error-words';
import { problemWords } from '../../base/text/finding-words';
import { shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Callout } from '../../ui';

export interface CheckResultProps {
  result: ProviderCheck | undefined;
  error: unknown;
  model: string;
  /** Models that are not there can be fetched. */
  pulls: boolean;
}

/** What happened, why, and what to do. */
export function CheckResult({ result, error, model, pulls }: CheckResultProps) {
  if (error) return <Callout tone="bad">{failureText(error)}</Callout>;
  if (!result) return null;
  if (result.kind === 'failed') {
    const { what, next } = problemWords(result);
    return (
      <Callout tone="bad" title={t(`providers.checkFailed.${result.failure}`)}>
        <p>{what}</p>
        <p>{next}</p>
      </Callout>
    );
  }
  const absent = model !== '' && result.models.length > 0 && !result.models.includes(model);
  const hasNone = pulls && result.models.length === 0;
  return (
    <Callout
      tone={absent || hasNone ? 'warn' : 'good'}
      title={t('providers.checkOk', { time: shortMs(result.ms), count: result.models.length })}
    >
      {hasNone && t('providers.noChatModel', { example: 'qwen3:4b' })}
      {absent && t('providers.modelAbsent', { model })}
    </Callout>
  );
}
