import { type FormEvent, useId, useState } from 'react';
import { type ServerChanges, ServerDraft, type ServerEntry } from '../../../contract/mcp';
import { useAction } from '../../base/core/core';
import { bothOf, DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { failureText } from '../../base/text/failure';
import { t } from '../../base/text/text';
import { Button, Callout, Dialog, Field, Input, TextArea } from '../../ui';
import { pairsOf, readLines, readPairs, secretsIn } from './draft-text';
import { useSecretFields } from './SecretFields';
import { optionLabels, ServerOptionFields } from './ServerOptionFields';
import { areWrong, noOptions, optionChanges, optionsOf } from './server-options';

/**
 * Changes what a person fills in; the rest of the entry stays as it is in the file. A literal secret never comes to the
 * screen: command and address start empty, in arguments, environment and headers a reference stands for it.
 */
export function EditServer({
  server,
  removed,
  onClose,
}: {
  server: ServerEntry;
  removed: boolean;
  onClose(): void;
}) {
  const form = useId();
  const local = server.transport === 'stdio';
  const written = local ? server.command : server.url;
  // One a line: an argument that is empty or has blanks at its ends would be lost.
  const shownArgs = server.args?.every((arg) => readLines(arg)[0] === arg) ? server.args : null;
  const writtenArgs = shownArgs?.join('\n') ?? '';
  const given = local ? server.env : server.headers;
  const writtenPairs = pairsOf(given);
  const optionsBefore = optionsOf(server);
  const draft = useFormDraft(
    `server ${server.id}`,
    removed
      ? { ...{ name: '', target: '', args: '', pairs: '', cwd: '' }, ...noOptions }
      : {
          ...{ name: server.name, target: written ?? '', args: writtenArgs, pairs: writtenPairs },
          ...{ cwd: server.cwd ?? '', ...optionsBefore },
        },
    ['target', 'args', 'pairs'],
  );
  useRemoved(draft, removed, onClose);
  const { name, target, args, pairs, cwd, ...options } = draft.values;
  const update = useAction('mcp.update');
  const add = useAction('mcp.add');
  const { values, wrong } = readPairs(pairs);
  const hidden = Object.values(given).flatMap((value) => (value.kind === 'hidden' ? [value.as] : []));
  const hiddenArgs = server.hiddenArgs ?? [];
  const secrets = useSecretFields(
    `server ${server.id}`,
    [target, args, ...Object.values(values)],
    // With its entry a value that stood there is gone.
    removed ? [] : secretsIn([...hidden, ...hiddenArgs]),
  );
  const [failure, setFailure] = useState<unknown>(null);
  const isBad = areWrong(options);

  const kept = bothOf(draft, secrets.draft);
  const ready = name.trim() !== '' && wrong.length === 0 && !isBad && (!removed || target.trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kept.overtaken.length === 0) void save();
  };
  const saveMine = () => {
    kept.keepMine();
    void save();
  };
  const addAnew = () => {
    const given = {
      ...{ [local ? 'command' : 'url']: target.trim(), [local ? 'env' : 'headers']: values },
      ...(local && { args: readLines(args), ...(cwd.trim() !== '' && { cwd: cwd.trim() }) }),
      ...optionChanges(noOptions, options),
    };
    const { transport, level } = server;
    const draft = ServerDraft.parse({
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
      ...{ name: name.trim(), ...(transport !== 'auto' && { transport }) },
    });
    return add.mutateAsync({ level: level === 'vault' ? 'vault' : 'user', servers: [draft] });
  };
  const save = async () => {
    const changes: ServerChanges = optionChanges(optionsBefore, options);
    if (name.trim() !== server.name) changes.name = name.trim();
    if (target.trim() !== '' && target.trim() !== written) changes[local ? 'command' : 'url'] = target.trim();
    if (local && args !== writtenArgs) changes.args = readLines(args);
    if (pairs !== writtenPairs) changes[local ? 'env' : 'headers'] = values;
    if (cwd.trim() !== (server.cwd ?? '')) changes.cwd = cwd.trim() || null;
    try {
      await secrets.store();
      if (removed) await addAnew();
      else if (Object.keys(changes).length > 0) {
        await update.mutateAsync({ serverId: server.id, changes, seen: server.revision });
      }
      draft.discard();
      secrets.draft.discard();
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };

  return (
    <Dialog
      title={t('edit.title', { name: server.name })}
      onClose={onClose}
      footer={
        <>
          <DraftCancel draft={kept} onLeave={onClose} />
          <Button
            type="submit"
            form={form}
            look="primary"
            busy={update.isPending || add.isPending}
            disabled={!ready}
          >
            {t(removed ? 'draft.saveAsNew' : 'ui.save')}
          </Button>
        </>
      }
    >
      <form className="edit" id={form} onSubmit={submit}>
        <DraftNote
          draft={kept}
          savesBelow
          removed={removed}
          labels={{
            name: t('add.name'),
            target: t(local ? 'servers.command' : 'servers.address'),
            args: t('edit.arguments'),
            pairs: t(local ? 'servers.environment' : 'servers.headers'),
            cwd: t('servers.folder'),
            ...optionLabels(options),
          }}
          onSave={ready ? saveMine : undefined}
        />
        <Field label={t('add.name')} hint={t('add.nameHint')}>
          {(ties) => (
            <Input {...ties} value={name} onChange={(event) => draft.set({ name: event.target.value })} />
          )}
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
              onChange={(event) => draft.set({ target: event.target.value })}
            />
          )}
        </Field>
        {local && (
          <Field
            label={t('edit.arguments')}
            hint={shownArgs === null ? t('edit.keep') : hiddenArgs.length > 0 ? t('edit.hidden') : undefined}
          >
            {(ties) => (
              <TextArea
                {...ties}
                mono
                value={args}
                onChange={(event) => draft.set({ args: event.target.value })}
              />
            )}
          </Field>
        )}
        <Field
          label={t(local ? 'servers.environment' : 'servers.headers')}
          hint={`${t('add.line')}. ${t(hidden.length > 0 ? 'edit.hidden' : 'edit.secretHint')}`}
          error={wrong.length > 0 ? `${t('add.line')}: ${wrong.join(', ')}` : null}
        >
          {(ties) => (
            <TextArea
              {...ties}
              mono
              value={pairs}
              onChange={(event) => draft.set({ pairs: event.target.value })}
            />
          )}
        </Field>
        {secrets.fields}
        {local && (
          <Field label={t('servers.folder')}>
            {(ties) => (
              <Input
                {...ties}
                mono
                value={cwd}
                onChange={(event) => draft.set({ cwd: event.target.value })}
              />
            )}
          </Field>
        )}
        <ServerOptionFields options={options} onChange={draft.set} />
        {failure !== null && <Callout tone="bad">{failureText(failure)}</Callout>}
      </form>
    </Dialog>
  );
}
