import { type FormEvent, useId, useState } from 'react';
import type { ServerEntry } from '../../../contract/mcp';
import { useAction } from '../../base/core/core';
import { bothOf, DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Dialog } from '../../ui';
import { readPairs, secretsIn } from './draft-text';
import { EditServerFields, fieldLabels } from './EditServerFields';
import { changesOf, editedServer, newServerOf, noServer, writtenPairs } from './edited-server';
import { useSecretFields } from './SecretFields';
import { optionLabels, ServerOptionFields } from './ServerOptionFields';
import { areWrong } from './server-options';

/**
 * Changes what a person fills in; the rest of the entry stays as it is in the file. A literal secret never comes to the
 * screen: command and address start empty, in arguments, environment and headers a reference stands for it. One form, with its two drafts saved together.
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
  const draft = useFormDraft(`server ${server.id}`, removed ? noServer : editedServer(server), [
    'target',
    'args',
    'pairs',
  ]);
  useRemoved(draft, removed, onClose);
  const { name, target, args, pairs } = draft.values;
  const update = useAction('mcp.update');
  const add = useAction('mcp.add');
  const { values, wrong } = readPairs(pairs);
  const hidden = Object.values(writtenPairs(server)).flatMap((value) =>
    value.kind === 'hidden' ? [value.as] : [],
  );
  const secrets = useSecretFields(
    `server ${server.id}`,
    [target, args, ...Object.values(values)],
    // With its entry a value that stood there is gone.
    removed ? [] : secretsIn([...hidden, ...(server.hiddenArgs ?? [])]),
  );
  const [failure, setFailure] = useState<unknown>(null);
  const both = bothOf(draft, secrets.draft);
  const ready =
    name.trim() !== '' && wrong.length === 0 && !areWrong(draft.values) && (!removed || target.trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (both.overtaken.length === 0) void save();
  };
  const saveMine = () => {
    both.keepMine();
    void save();
  };
  const save = async () => {
    const edited = draft.values;
    const changes = changesOf(server, edited);
    try {
      await secrets.store();
      if (removed) {
        const level = server.level === 'vault' ? 'vault' : 'user';
        await add.mutateAsync({ level, servers: [newServerOf(server, edited)] });
      } else if (Object.keys(changes).length > 0) {
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
          <DraftCancel draft={both} onLeave={onClose} />
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
          draft={both}
          savesBelow
          removed={removed}
          labels={{ ...fieldLabels(server), ...optionLabels() }}
          onSave={ready ? saveMine : undefined}
        />
        <EditServerFields
          server={server}
          values={draft.values}
          secrets={secrets.fields}
          onChange={draft.set}
        />
        <ServerOptionFields options={draft.values} onChange={draft.set} />
        {failure !== null && <Callout tone="bad">{failureText(failure)}</Callout>}
      </form>
    </Dialog>
  );
}
