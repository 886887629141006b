import { type FormEvent, useId, useState } from 'react';
import type { ServerDraft, ServerPicture } from '../../../contract/mcp';
import { useAction } from '../../app/core';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { Button, Callout, Dialog, Field, Input, Switch, TextArea } from '../../ui';
import { readLines, readPairs } from './draft-text';

/**
 * Changes what a person fills in; the rest of the entry stays as it is in the file. What holds a literal secret never
 * comes to the screen and starts empty, as do all values of environment and headers.
 */
export function EditServer({ server, onClose }: { server: ServerPicture; onClose(): void }) {
  const form = useId();
  const local = server.transport === 'stdio';
  const written = local ? server.command : server.url;
  // One a line: an argument that is empty or has blanks at its ends would be lost.
  const shownArgs = server.args?.every((arg) => readLines(arg)[0] === arg) ? server.args : null;
  const writtenArgs = shownArgs?.join('\n') ?? '';
  const [name, setName] = useState(server.name);
  const [target, setTarget] = useState(written ?? '');
  const [args, setArgs] = useState(writtenArgs);
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
    if (target.trim() !== '' && target.trim() !== written) changes[local ? 'command' : 'url'] = target.trim();
    if (local && args !== writtenArgs) changes.args = readLines(args);
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
          hint={written === null ? t('edit.keep') : undefined}
        >
          {(ties) => (
            <Input
              {...ties}
              mono
              placeholder={written === null ? server.target : undefined}
              value={target}
              onChange={(event) => setTarget(event.target.value)}
            />
          )}
        </Field>
        {local && (
          <Field label={t('edit.arguments')} hint={shownArgs === null ? t('edit.keep') : undefined}>
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
