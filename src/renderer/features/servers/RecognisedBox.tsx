import type { Recognised } from '../../../contract/mcp';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Badge, Callout, Field, TextArea } from '../../ui';

export interface RecognisedBoxProps {
  text: string;
  /** Undefined: that is not known, or not asked. */
  recognised: Recognised | undefined;
  error: unknown;
  onChange(text: string): void;
}

/** The box for commands, addresses and configurations, and what its text is understood as. */
export function RecognisedBox({ text, recognised, error, onChange }: RecognisedBoxProps) {
  return (
    <>
      <Field
        label={t('add.box')}
        error={recognised?.kind === 'unrecognised' ? recognised.hint : error ? failureText(error) : null}
      >
        {(ties) => (
          <TextArea
            {...ties}
            mono
            rows={3}
            placeholder={t('add.placeholder')}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      {recognised && 'servers' in recognised && (
        <p role="status">
          <Badge tone="accent">
            {t(`add.kind.${recognised.kind}`, { count: recognised.servers.length })}
          </Badge>
        </p>
      )}
      {recognised?.kind === 'link' && <Callout tone="warn">{t('add.linkText')}</Callout>}
    </>
  );
}
