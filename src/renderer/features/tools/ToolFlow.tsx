import { useId } from 'react';
import type { ToolFlow as Flow, Reading } from '../../../contract/flow';
import type { ToolEntry } from '../../../contract/tools';
import { useWhyNot } from '../../base/core/why-not';
import { t } from '../../base/text/text';
import { Badge, Button, Switch } from '../../ui';

export interface ToolFlowProps {
  tool: ToolEntry;
  isWaiting: boolean;
  /** Null: as the app knows it. */
  onChange(flow: Flow | null): void;
}

/** What a tool reads and whether it sends: what the guard before calls that send goes by. */
export function ToolFlow({ tool: { flow }, isWaiting, onChange }: ToolFlowProps) {
  const whyNot = useWhyNot();
  const id = useId();
  const { reads, sends, by } = flow;
  const withReading = (reading: Reading, isRead: boolean): Flow => ({
    sends,
    reads: (['private', 'untrusted'] as const).filter((one) =>
      one === reading ? isRead : reads.includes(one),
    ),
  });
  const rows = [
    ...(['private', 'untrusted'] as const).map((reading) => ({
      label: t(`tools.flow.${reading}`),
      isOn: reads.includes(reading),
      change: (isOn: boolean) => withReading(reading, isOn),
    })),
    { label: t('tools.flow.sends'), isOn: sends, change: (isOn: boolean) => ({ reads, sends: isOn }) },
  ];
  return (
    <fieldset className="tool-rule tool-flow" aria-label={t('tools.flow')}>
      {rows.map(({ label, isOn, change }, index) => (
        <span className="tool-rule" key={label}>
          <Switch
            id={`${id}-${index}`}
            checked={isOn}
            waiting={isWaiting}
            disabled={whyNot !== undefined}
            title={whyNot}
            onChange={(next) => onChange(change(next))}
          />
          <label htmlFor={`${id}-${index}`}>{label}</label>
        </span>
      ))}
      {by === 'nobody' && <Badge tone="warn">{t('tools.flow.unknown')}</Badge>}
      {by === 'person' && (
        <Button
          size="s"
          look="quiet"
          disabled={isWaiting || whyNot !== undefined}
          onClick={() => onChange(null)}
        >
          {t('tools.flow.reset')}
        </Button>
      )}
    </fieldset>
  );
}
