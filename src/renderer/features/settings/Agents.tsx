import { FileText, Plus } from 'lucide-react';
import { useAction, useCoreState } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field } from '../../ui';
import { newNotes } from './new-notes';
import { TarsOffer } from './TarsImport';

/** Agents and prompt templates are notes: they are listed here, and opened to be changed. */
export function Agents() {
  const agents = useCoreState('agents.list', {});
  const prompts = useCoreState('agents.prompts', {});
  const vault = useCoreState('vault.state', {});
  const create = useAction('vault.create', { once: true });
  const leaveFor = useLayout((layout) => layout.leaveFor);
  const show = useLayout((layout) => layout.show);
  if (!vault || !agents || !prompts) return <Awaited />;
  if (vault.kind !== 'open') return <p className="settings-quiet">{t('agents.noVault')}</p>;
  const make = (folder: keyof typeof newNotes, name: string) =>
    leaveFor(
      create.mutateAsync({ path: `.interlinear/${folder}/${name}.md`, text: newNotes[folder] }),
      'kept',
    );
  return (
    <div className="settings-fields">
      <LastKnown />
      {create.error && <Callout tone="bad">{failureText(create.error)}</Callout>}
      {!vault.trusted && (
        <Callout
          tone="warn"
          actions={
            <Button size="s" onClick={() => show({ kind: 'settings', section: 'vault' })}>
              {t('agents.trust')}
            </Button>
          }
        >
          {t('agents.untrusted')}
        </Callout>
      )}
      <Notes
        title={t('agents.agents')}
        hint={t('agents.agentsHint')}
        add={t('agents.newAgent')}
        onAdd={() => make('agents', 'New-agent')}
        notes={agents.map(({ path, name, provider, model, problem }) => ({
          path,
          name,
          about: [provider, model].filter(Boolean).join(' · '),
          problem,
        }))}
      />
      <Notes
        title={t('agents.prompts')}
        hint={t('agents.promptsHint', { selection: '{{selection}}' })}
        add={t('agents.newPrompt')}
        onAdd={() => make('prompts', 'New prompt')}
        notes={prompts.map(({ path, name, description }) => ({
          path,
          name,
          about: description,
          problem: null,
        }))}
      />
      <TarsOffer />
    </div>
  );
}

function Notes({
  title,
  hint,
  add,
  onAdd,
  notes,
}: {
  title: string;
  hint: string;
  add: string;
  onAdd(): void;
  notes: { path: string; name: string; about: string; problem: string | null }[];
}) {
  const { hideModal, visit } = useLayout();
  const edit = (path: string) => {
    hideModal();
    visit(path);
  };
  return (
    <Field label={title} hint={hint}>
      {() => (
        <ul className="settings-list">
          {notes.map(({ path, name, about, problem }) => (
            <li key={path}>
              <FileText size={15} strokeWidth={1.75} aria-hidden />
              <span className="settings-list-text">
                <span>{name}</span>
                {about && <small>{about}</small>}
                {problem && <small className="settings-problem">{problem}</small>}
              </span>
              <Button size="s" onClick={() => edit(path)}>
                {t('providers.edit')}
              </Button>
            </li>
          ))}
          <li>
            <Button size="s" onClick={onAdd}>
              <Plus size={14} strokeWidth={2} aria-hidden />
              {add}
            </Button>
          </li>
        </ul>
      )}
    </Field>
  );
}
