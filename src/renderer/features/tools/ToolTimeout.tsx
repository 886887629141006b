import { useId } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import { DraftNote } from '../../base/drafts/DraftNote';
import { useSavedText } from '../../base/parts/use-saved-text';
import { t } from '../../base/text/text';
import { Input } from '../../ui';

export interface ToolTimeoutProps {
  tool: ToolEntry;
  /** Whether it was taken. */
  onChange(timeout: number | null): Promise<boolean>;
}

/** Its own time limit in seconds, saved on leaving or Enter; empty: its server's or the general one. */
export function ToolTimeout({ tool, onChange }: ToolTimeoutProps) {
  const id = useId();
  const saved = tool.timeout === null ? '' : String(tool.timeout / 1_000);
  const { text, draft, type, leave, save } = useSavedText(
    `timeout ${tool.serverId} ${tool.name}`,
    saved,
    readSeconds,
    (good) => onChange(good === '' ? null : Math.round(Number(good) * 1_000)),
  );
  const why = t('form.outOfRange', { min: 0.1, max: 86_400 });
  const isGood = readSeconds(text) !== null;
  return (
    <span className="tool-rule">
      <label htmlFor={id}>{t('tools.timeout')}</label>
      <Input
        id={id}
        className="tool-timeout"
        inputMode="decimal"
        placeholder={t('servers.default')}
        aria-invalid={!isGood}
        aria-describedby={isGood ? undefined : `${id}-why`}
        title={isGood ? undefined : why}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && draft.overtaken.length === 0 && save?.()}
      />
      {!isGood && (
        <span id={`${id}-why`} className="visually-hidden" role="alert">
          {why}
        </span>
      )}
      <DraftNote draft={draft} onSave={save} />
    </span>
  );
}

function readSeconds(text: string): string | null {
  if (text.trim() === '') return '';
  const seconds = Number(text);
  return seconds >= 0.1 && seconds <= 86_400 ? String(seconds) : null;
}
