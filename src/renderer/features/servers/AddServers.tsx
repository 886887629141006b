import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotTaken, ServerDraft } from '../../../contract/mcp';
import { useAction, useAsk, useCore, useCoreState } from '../../base/core/core';
import { bothOf, DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { failureText } from '../../base/text/failure';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Badge, Button, Callout, Dialog, Field, Select, TextArea } from '../../ui';
import { DraftCard } from './DraftCard';
import { readPairs, suggestedNames } from './draft-text';
import { useSecretFields } from './SecretFields';

export interface AddServersProps {
  /** What the box begins with. */
  text: string;
  onClose(): void;
  onAdded(serverIds: string[]): void;
}

/** All that a person has typed and chosen. */
interface Filled {
  readonly text: string;
  readonly level: 'user' | 'vault';
  readonly chosen: Offered | null;
  readonly leftOut: readonly string[];
  readonly edits: Readonly<Record<string, Partial<ServerDraft>>>;
  /** As typed, also what is no pair yet. */
  readonly pairs: Readonly<Record<string, string>>;
}

interface Offered {
  readonly servers: readonly ServerDraft[];
  readonly skipped: readonly NotTaken[];
}

/** One box for all that people have at hand; what it is understood as is shown while they type. */
export function AddServers({ text: first, onClose, onAdded }: AddServersProps) {
  const core = useCore();
  const form = useFormDraft<Filled>(
    `server-new ${first}`,
    { text: first, level: 'user', chosen: null, leftOut: [], edits: {}, pairs: {} },
    ['text', 'level', 'chosen', 'leftOut', 'edits', 'pairs'],
  );
  const { text, level, chosen, leftOut, edits, pairs } = form.values;
  const templates = useAsk('mcp.templates', {});
  const elsewhere = useAsk('mcp.elsewhere', {}, { gcTime: 0 });
  const readable = elsewhere.data?.filter(({ servers }) => servers.length > 0) ?? [];
  const unreadable = elsewhere.data?.filter(({ servers }) => servers.length === 0) ?? [];
  const add = useAction('mcp.add');
  const recognised = useQuery({
    queryKey: ['mcp.recognise', text],
    queryFn: ({ signal }) => core.call('mcp.recognise', { text }, { signal, waits: true }),
    placeholderData: (previous) => previous,
    enabled: text.trim() !== '',
  });
  const found = chosen === null && text.trim() !== '' ? recognised.data : undefined;
  const offered: Offered = chosen ?? (found && 'servers' in found ? found : { servers: [], skipped: [] });
  // What a person did to a draft belongs to what it says, not to its place: other text begins anew.
  const cards = offered.servers.map((draft, at) => ({ key: `${at} ${JSON.stringify(draft)}`, draft }));
  const gone = new Set(cards.filter(({ key }) => leftOut.includes(key)).map(({ draft }) => draft.name));
  const skipped = offered.skipped.filter(({ server }) => !gone.has(server));
  const kept = cards
    .filter(({ key }) => !leftOut.includes(key))
    .map(({ key, draft }) => ({ key, draft: { ...draft, ...edits[key] } }));
  const drafts = kept.map(({ draft }) => draft);
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
  /** What is shown is still that of the text before. */
  const outdated = chosen === null && recognised.isPlaceholderData;
  const isUnread = kept.some(({ key }) => readPairs(pairs[key] ?? '').wrong.length > 0);
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
            {drafts.length === 0 ? t('servers.add') : t('add.add', { n: drafts.length })}
          </Button>
        </>
      }
    >
      <div className="add">
        <DraftNote draft={draft} />
        <Field
          label={t('add.box')}
          error={
            found?.kind === 'unrecognised' ? found.hint : recognised.error && failureText(recognised.error)
          }
        >
          {(ties) => (
            <TextArea
              {...ties}
              mono
              rows={3}
              placeholder={t('add.placeholder')}
              value={text}
              onChange={(event) => write(event.target.value)}
            />
          )}
        </Field>
        {found && 'servers' in found && (
          <p role="status">
            <Badge tone="accent">{t(`add.kind.${found.kind}`, { n: found.servers.length })}</Badge>
          </p>
        )}
        {found?.kind === 'link' && <Callout tone="warn">{t('add.linkText')}</Callout>}
        {skipped.length > 0 && (
          <Callout tone="warn" title={t('add.skipped')}>
            <ul className="add-skipped">
              {skipped.map(({ server, what, reason }) => (
                <li key={`${server} ${what} ${reason}`}>
                  <strong>{visible(server)}</strong>
                  {what !== null && <code>{visible(what)}</code>}
                  {visible(reason)}
                </li>
              ))}
            </ul>
          </Callout>
        )}
        {kept.map(({ key, draft }, index) => (
          <DraftCard
            key={key}
            draft={draft}
            freeName={suggested[index] ?? null}
            onLeaveOut={kept.length > 1 ? () => form.set({ leftOut: [...leftOut, key] }) : null}
            pairs={pairs[key] ?? null}
            onPairs={(typed) => form.set({ pairs: { ...pairs, [key]: typed } })}
            onChange={(changes) => form.set({ edits: { ...edits, [key]: { ...edits[key], ...changes } } })}
          />
        ))}
        {drafts.length === 0 && (elsewhere.data?.length ?? 0) > 0 && (
          <section className="ui-section">
            <h3>{t('add.elsewhere')}</h3>
            <div className="add-templates">
              {readable.map(({ app, file, servers, skipped }) => (
                <button
                  key={file}
                  type="button"
                  className="add-template"
                  title={file}
                  onClick={() => form.set({ chosen: { servers, skipped } })}
                >
                  <strong>{app}</strong>
                  <span>
                    {t('add.elsewhereText', {
                      n: servers.length,
                      names: servers.map(({ name }) => visible(name)).join(', '),
                    })}
                  </span>
                </button>
              ))}
            </div>
            {unreadable.map(({ app, file, skipped }) => (
              <Callout key={file} tone="warn" title={t('add.elsewhereUnread', { app })}>
                {file}: {skipped.map(({ server, reason }) => `${server}: ${reason}`).join(' ')}
              </Callout>
            ))}
          </section>
        )}
        {drafts.length === 0 && (templates.data?.length ?? 0) > 0 && (
          <section className="ui-section">
            <h3>{t('add.templates')}</h3>
            <div className="add-templates">
              {templates.data?.map(({ id, draft }) => (
                <button
                  key={id}
                  type="button"
                  className="add-template"
                  onClick={() => form.set({ chosen: { servers: [draft], skipped: [] } })}
                >
                  <strong>{t(`template.${id}`)}</strong>
                  <span>{t(`template.${id}.text`)}</span>
                </button>
              ))}
            </div>
          </section>
        )}
        {secrets.fields}
        {failure !== null && <Callout tone="bad">{failureText(failure)}</Callout>}
      </div>
    </Dialog>
  );
}
