import { useCoreState } from '../../base/core/core';
import { t } from '../../base/text/text';
import { Field, Input, Segments, Switch, TextArea } from '../../ui';
import { isWrong, noOptions, numberOptions, type ServerOptions } from './server-options';

export interface ServerOptionFieldsProps {
  options: ServerOptions;
  onChange(changes: Partial<ServerOptions>): void;
}

/** What each field is called. */
export const optionLabels = (): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(noOptions) as (keyof ServerOptions)[]).map((name) => [name, t(`edit.${name}`)]),
  );

/** A server's own settings beside how it is started; what is left empty holds as for all. */
export function ServerOptionFields({ options, onChange }: ServerOptionFieldsProps) {
  const general = useCoreState('settings.current', {});
  const number = (
    key: 'timeout' | 'initTimeout' | 'concurrency' | 'checkInterval' | 'restarts',
    usual: number | undefined,
    hint?: string,
  ) => (
    <Field row label={t(`edit.${key}`)} hint={hint} error={isWrong(key, options[key]) ? rangeOf(key) : null}>
      {(ties) => (
        <Input
          {...ties}
          className="edit-number"
          inputMode="decimal"
          placeholder={usual === undefined ? t('servers.default') : t('edit.usual', { value: usual })}
          value={options[key]}
          onChange={(event) => onChange({ [key]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <Field label={t('edit.autostart')} row>
        {({ id }) => (
          <Switch id={id} checked={options.autostart} onChange={(autostart) => onChange({ autostart })} />
        )}
      </Field>
      {number('timeout', general && general.tools.timeout / 1_000)}
      <Field label={t('edit.longRunning')} hint={t('edit.longRunningHint')} row>
        {({ id }) => (
          <Switch
            id={id}
            checked={options.longRunning}
            onChange={(longRunning) => onChange({ longRunning })}
          />
        )}
      </Field>
      {number('initTimeout', 60)}
      {number(
        'concurrency',
        undefined,
        t('edit.concurrencyHint', { count: general?.tools.concurrency ?? 0 }),
      )}
      <Field label={t('edit.roots')} hint={t('edit.rootsHint')}>
        {(ties) => (
          <TextArea
            {...ties}
            mono
            rows={2}
            value={options.roots}
            onChange={(event) => onChange({ roots: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('edit.monitoring')} hint={t('edit.monitoringHint')} row>
        {() => (
          <Segments
            aria-label={t('edit.monitoring')}
            value={options.monitoring}
            options={(['general', 'on', 'off'] as const).map((value) => ({
              value,
              label: t(`edit.monitoring.${value}`),
            }))}
            onChange={(monitoring) => onChange({ monitoring })}
          />
        )}
      </Field>
      {number('checkInterval', general && general.servers.checkInterval / 1_000)}
      {number('restarts', general?.servers.restarts)}
    </>
  );
}

function rangeOf(key: keyof typeof numberOptions): string {
  const { unit, least, most } = numberOptions[key];
  return t(unit > 1 ? 'form.outOfRange' : 'form.outOfRangeWhole', { min: least, max: most });
}
