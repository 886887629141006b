import { useState } from 'react';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { bothOf, DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Dialog, Select } from '../../ui';
import { DraftCard } from './DraftCard';
import { readPairs, suggestedNames } from './draft-text';
import { cardsOf, type NewServers } from './new-servers';
import { RecognisedBox } from './RecognisedBox';
import { useSecretFields } from './SecretFields';
import { ElsewhereChoices, TemplateChoices } from './ServerChoices';
import { SkippedParts } from './SkippedParts';
import { useRecognised } from './use-recognised';

export interface AddServersProps {
  /** What the box begins with. */
  text: string;
  onClose(): void;
  onAdded(serverIds: string[]): void;
}

/** One box for all that people have at hand; what it is understood as is shown while they type. One form, whose parts all hang on what was recognised. */
export function AddServers({ text: first, onClose, onAdded }: AddServersProps) {
  const form = useFormDraft<NewServers>(
    `server-new ${first}`,
    { text: first, level: 'user', chosen: null, leftOut: [], edits: {}, pairs: {} },
    ['text', 'level', 'chosen', 'leftOut', 'edits', 'pairs'],
  );
  const { text, level, chosen, leftOut, edits, pairs } = form.values;
  const templates = useAsk('mcp.templates', {});
  const elsewhere = useAsk('mcp.elsewhere', {}, { gcTime: 0 });
  const add = useAction('mcp.add');
  const { recognised, error, offered, outdated } = useRecognised({ text, chosen });
  const { cards, skipped } = cardsOf(offered, { leftOut, edits });
  const drafts = cards.map(({ draft }) => draft);
  const secrets = useSecretFields(
    'server-new',
    drafts.map((draft) => JSON.stringify(draft)),
  );
  const draft = bothOf(form, secrets.draft);
  const [failure, setFailure] = useState<unknown>(null);
  const configured = useCoreState('mcp.servers', {})?.servers ?? [];
  const suggested = suggestedNames(
    drafts.map(({ name }) => name),
    configured
      .filter((server) => server.level === level || server.level === 'bundled')
      .map(({ name }) => name),
  );
  const isUnread = cards.some(({ key }) => readPairs(pairs[key] ?? '').wrong.length > 0);
  const ready =
    !outdated &&
    !isUnread &&
    drafts.length > 0 &&
    drafts.every(({ name }, at) => name.trim() !== '' && suggested[at] === null);

  const write = (next: string) => {
    form.set({ text: next, chosen: null, leftOut: [] });
    setFailure(null);
  };
  const submit = async () => {
    try {
      await secrets.store();
      const { serverIds } = await add.mutateAsync({ level, servers: drafts });
      draft.discard();
      onAdded(serverIds);
    } catch (error) {
      setFailure(error);
    }
  };

  return (
    <Dialog
      size="l"
      title={t('add.title')}
      description={t('add.text')}
      onClose={onClose}
      footer={
        <>
          <div className="add-level">
            <Select
              aria-label={t('add.level')}
              value={level}
              options={[
                { value: 'user', label: t('add.level.user') },
                { value: 'vault', label: t('add.level.vault') },
              ]}
              onChange={(next) => form.set({ level: next })}
            />
          </div>
          <DraftCancel draft={draft} onLeave={onClose} />
          <Button look="primary" disabled={!ready} busy={add.isPending} onClick={() => void submit()}>
            {drafts.length === 0 ? t('servers.add') : t('add.add', { count: drafts.length })}
          </Button>
        </>
      }
    >
      <div className="add">
        <DraftNote draft={draft} />
        <RecognisedBox {...{ text, recognised, error }} onChange={write} />
        <SkippedParts skipped={skipped} />
        {cards.map(({ key, draft }, index) => (
          <DraftCard
            key={key}
            draft={draft}
            level={level}
            freeName={suggested[index] ?? null}
            onLeaveOut={cards.length > 1 ? () => form.set({ leftOut: [...leftOut, key] }) : null}
            pairs={pairs[key] ?? null}
            onPairs={(typed) => form.set({ pairs: { ...pairs, [key]: typed } })}
            onChange={(changes) => form.set({ edits: { ...edits, [key]: { ...edits[key], ...changes } } })}
          />
        ))}
        {drafts.length === 0 && elsewhere.data && elsewhere.data.length > 0 && (
          <ElsewhereChoices files={elsewhere.data} onChoose={(chosen) => form.set({ chosen })} />
        )}
        {drafts.length === 0 && templates.data && templates.data.length > 0 && (
          <TemplateChoices templates={templates.data} onChoose={(chosen) => form.set({ chosen })} />
        )}
        {secrets.fields}
        {failure !== null && <Callout tone="bad">{failureText(failure)}</Callout>}
      </div>
    </Dialog>
  );
}
