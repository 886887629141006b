import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Callout, Field, Switch } from '../../ui';
import { NumberField } from './NumberField';
import { useSettings } from './use-settings';

/** Whether and how long it is kept how notes were. */
export function VersionSettings() {
  const { settings, change, error } = useSettings();
  if (!settings) return null;
  const { versions } = settings;
  return (
    <section className="ui-section">
      <h3>{t('settings.versions')}</h3>
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      <Field row label={t('settings.versionsKeep')} hint={t('settings.versionsKeepHint')}>
        {({ id }) => (
          <Switch id={id} checked={versions.keep} onChange={(keep) => change({ versions: { keep } })} />
        )}
      </Field>
      {versions.keep && (
        <>
          <NumberField
            name="versions.megabytes"
            label={t('settings.versionsSize')}
            hint={t('settings.versionsSizeHint')}
            value={versions.megabytes}
            min={5}
            max={100_000}
            onChange={(megabytes) => change({ versions: { megabytes } })}
          />
          <NumberField
            name="versions.days"
            label={t('settings.versionsDays')}
            hint={t('settings.versionsDaysHint')}
            value={versions.days}
            min={1}
            max={3_650}
            onChange={(days) => change({ versions: { days } })}
          />
          <NumberField
            name="versions.interval"
            label={t('settings.versionsInterval')}
            hint={t('settings.versionsIntervalHint')}
            value={Math.round(versions.interval / 1_000)}
            min={1}
            onChange={(seconds) => change({ versions: { interval: seconds * 1_000 } })}
          />
        </>
      )}
    </section>
  );
}
