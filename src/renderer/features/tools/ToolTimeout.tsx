import { useEffect, useId, useState } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import { t } from '../../app/text';
import { Input } from '../../ui';

/** Its own time limit in seconds, saved on leaving or Enter; empty: its server's or the general one. */
export function ToolTimeout({ tool, onChange }: { tool: ToolEntry; onChange(timeout: number | null): void }) {
  const id = useId();
  const saved = tool.timeout === null ? '' : String(tool.timeout / 1_000);
  const [text, setText] = useState(saved);
  useEffect(() => setText(saved), [saved]);
  const ms = Math.round(Number(text) * 1_000);
  const isGood = text.trim() === '' || (ms >= 100 && ms <= 86_400_000);
  const save = () => {
    if (isGood && text.trim() !== saved) onChange(text.trim() === '' ? null : ms);
  };
  return (
    <span className="tool-rule">
      <label htmlFor={id}>{t('tools.timeout')}</label>
      <Input
        id={id}
        className="tool-timeout"
        inputMode="decimal"
        placeholder={t('servers.default')}
        aria-invalid={!isGood}
        title={isGood ? undefined : t('form.notANumber')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
    </span>
  );
}
