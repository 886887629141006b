import { type FormEvent, useId, useState } from 'react';
import type { ServerDraft, ServerPicture } from '../../../contract/mcp';
import { useAction } from '../../app/core';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { Button, Callout, Dialog, Field, Input, Switch, TextArea } from '../../ui';
import { readLines, readPairs } from './draft-text';

/**
 * Changes what a person fills in; the rest of the entry stays as it is in the file. Command, values and headers may
 * hold secrets that never come to the screen, so they start empty.
 */
export function EditServer({ server, onClose }: { server: ServerPicture; onClose(): void }) {
  const form = useId();
  const local = server.transport === 'stdio';
  const [name, setName] = useState(server.name);
  const [target, setTarget] = useState(local ? '' : server.target);
  const [args, setArgs] = useState('');
  const [pairs, setPairs] = useState('');
  const [cwd, setCwd] = useState(server.cwd ?? '');
  const [seconds, setSeconds] = useState(server.timeout === null ? '' : String(server.timeout / 1_000));
  const [autostart, setAutostart] = useState(server.autostart);
  const update = useAction('mcp.update');
  const { values, wrong } = readPairs(pairs);
  const timeout = Number(seconds) * 1_000;
  const badTime = seconds !== '' && !(Number.isInteger(timeout) && timeout > 0);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const changes: Partial<ServerDraft> = {};
    if (name.trim() !== server.name) changes.name = name.trim();
    if (local && target.trim() !== '') changes.command = target.trim();
    if (!local && target.trim() !== server.target) changes.url = target.trim();
    if (local && args.trim() !== '') changes.args = readLines(args);
    if (pairs.trim() !== '') changes[local ? 'env' : 'headers'] = values;
    if (cwd.trim() !== (server.cwd ?? '')) changes.cwd = cwd.trim();
    if (seconds !== '' && timeout !== server.timeout) changes.timeout = timeout;
    if (autostart !== server.autostart) changes.autostart = autostart;
    update.mutate({ serverId: server.id, changes }, { onSuccess: onClose });
  };

  return (
    <Dialog
      title={t('edit.title', { name: server.name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            type="submit"
            form={form}
            look="primary"
            busy={update.isPending}
            disabled={name.trim() === '' || wrong.length > 0 || badTime}
          >
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <form className="edit" id={form} onSubmit={save}>
        <Field label={t('add.name')} hint={t('add.nameHint')}>
          {(ties) => <Input {...ties} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field
          label={t(local ? 'servers.command' : 'servers.address')}
          hint={local ? t('edit.keep') : undefined}
        >
          {(ties) => (
            <Input
              {...ties}
              mono
              placeholder={server.target}
              value={target}
              onChange={(event) => setTarget(event.target.value)}
            />
          )}
        </Field>
        {local && (
          <Field label={t('edit.arguments')} hint={t('edit.keep')}>
            {(ties) => (
              <TextArea {...ties} mono value={args} onChange={(event) => setArgs(event.target.value)} />
            )}
          </Field>
        )}
        <Field
          label={t(local ? 'servers.environment' : 'servers.headers')}
          hint={`${t('add.line')}. ${t('edit.keep')} ${t('edit.replaces')}`}
          error={wrong.length > 0 ? `${t('add.line')}: ${wrong.join(', ')}` : null}
        >
          {(ties) => (
            <TextArea
              {...ties}
              mono
              placeholder={Object.keys(local ? server.env : server.headers)
                .map((key) => `${key}=…`)
                .join('\n')}
              value={pairs}
              onChange={(event) => setPairs(event.target.value)}
            />
          )}
        </Field>
        {local && (
          <Field label={t('servers.folder')}>
            {(ties) => <Input {...ties} mono value={cwd} onChange={(event) => setCwd(event.target.value)} />}
          </Field>
        )}
        <Field label={t('edit.timeout')} row error={badTime ? t('form.notANumber') : null}>
          {(ties) => (
            <Input
              {...ties}
              className="edit-number"
              inputMode="decimal"
              placeholder={t('servers.default')}
              value={seconds}
              onChange={(event) => setSeconds(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('edit.autostart')} row>
          {({ id }) => <Switch id={id} checked={autostart} onChange={setAutostart} />}
        </Field>
        {update.error && <Callout tone="bad">{failureText(update.error)}</Callout>}
      </form>
    </Dialog>
  );
}
