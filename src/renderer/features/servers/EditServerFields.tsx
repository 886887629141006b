import type { ReactNode } from 'react';
import type { ServerEntry } from '../../../contract/mcp';
import { labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Field, Input, TextArea } from '../../ui';
import { readPairs } from './draft-text';
import { type EditedServer, isLocal, shownArgs, writtenPairs, writtenTarget } from './edited-server';

export const fieldLabels = (server: ServerEntry) => ({
  name: t('add.name'),
  target: t(isLocal(server) ? 'servers.command' : 'servers.address'),
  args: t('edit.arguments'),
  pairs: t(isLocal(server) ? 'servers.environment' : 'servers.headers'),
  cwd: t('servers.folder'),
});

export interface EditServerFieldsProps {
  server: ServerEntry;
  values: EditedServer;
  /** The fields of the secrets that the others ask for. */
  secrets: ReactNode;
  onChange(changes: Partial<EditedServer>): void;
}

/** What a server is: its name, what is run or asked, and with what. */
export function EditServerFields({ server, values, secrets, onChange }: EditServerFieldsProps) {
  const local = isLocal(server);
  const labels = fieldLabels(server);
  const hidesTarget = writtenTarget(server) === null;
  const hidesArgs = (server.hiddenArgs ?? []).length > 0;
  const hidesPairs = Object.values(writtenPairs(server)).some(({ kind }) => kind === 'hidden');
  const { wrong } = readPairs(values.pairs);
  return (
    <>
      <Field label={labels.name} hint={t('add.nameHint')}>
        {(ties) => (
          <Input {...ties} value={values.name} onChange={(event) => onChange({ name: event.target.value })} />
        )}
      </Field>
      <Field label={labels.target} hint={hidesTarget ? t('edit.keep') : undefined}>
        {(ties) => (
          <Input
            {...ties}
            mono
            placeholder={hidesTarget ? server.target : undefined}
            value={values.target}
            onChange={(event) => onChange({ target: event.target.value })}
          />
        )}
      </Field>
      {local && (
        <Field
          label={labels.args}
          hint={shownArgs(server) === null ? t('edit.keep') : hidesArgs ? t('edit.hidden') : undefined}
        >
          {(ties) => (
            <TextArea
              {...ties}
              mono
              value={values.args}
              onChange={(event) => onChange({ args: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label={labels.pairs}
        hint={`${t('add.line')}. ${t(hidesPairs ? 'edit.hidden' : 'edit.secretHint')}`}
        error={wrong.length > 0 ? labelled(t('add.line'), listed(wrong)) : null}
      >
        {(ties) => (
          <TextArea
            {...ties}
            mono
            value={values.pairs}
            onChange={(event) => onChange({ pairs: event.target.value })}
          />
        )}
      </Field>
      {secrets}
      {local && (
        <Field label={labels.cwd}>
          {(ties) => (
            <Input
              {...ties}
              mono
              value={values.cwd}
              onChange={(event) => onChange({ cwd: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
