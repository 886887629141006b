import { Plus, Zap } from 'lucide-react';
import { useState } from 'react';
import type { HookEntry } from '../../../contract/hooks';
import { useAction, useCoreState } from '../../base/core/core';
import { draftsOf, dropDraft, useFormsTakenUp } from '../../base/drafts/form-draft';
import { useLastSeen } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, ConfirmDialog, EmptyState } from '../../ui';
import { HookForm } from './HookForm';
import { HookRow } from './HookRow';
import { hookDraftKey } from './hook-draft';
import { useFormInPlace } from './use-form-in-place';

/** What the vault's `hooks.json` has run by itself, how it went, and how it is changed. One page: a form in the place of the list while one is edited. */
export function Hooks() {
  const list = useCoreState('hooks.list', {});
  const setEnabled = useAction('hooks.setEnabled');
  const remove = useAction('hooks.remove');
  const run = useAction('hooks.run');
  const vault = useLayout((layout) => layout.vault);
  // Whoever left a form half filled in comes back to it.
  const [editing, setEditing] = useState<string | null>(() => draftsOf(hookDraftKey(vault, null))[0] ?? null);
  useFormsTakenUp(hookDraftKey(vault, null), ([first]) => setEditing((now) => now ?? first ?? null));
  useFormInPlace(editing);
  const [removing, setRemoving] = useState<HookEntry | null>(null);
  const note = useLayout((layout) => layout.editor?.path ?? null);
  const entry = list?.kind === 'listed' ? list.hooks.find(({ name }) => name === editing) : undefined;
  const hook = useLastSeen(editing, entry);
  if (list === undefined) return <Awaited />;
  if (list.kind === 'no-vault') return <p className="settings-quiet">{t('hooks.noVault')}</p>;

  const { hooks, problems, trusted } = list;
  if (editing !== null && (hook || editing === '' || draftsOf(hookDraftKey(vault, null)).includes(editing))) {
    const others = hooks.map(({ name }) => name).filter((name) => name !== editing);
    const removed = entry === undefined && editing !== '';
    return (
      <HookForm
        key={editing}
        name={editing}
        hook={hook}
        removed={removed}
        others={others}
        onDone={() => setEditing(null)}
      />
    );
  }
  const add = (
    <Button look="primary" data-opens="" onClick={() => setEditing('')}>
      <Plus size={14} strokeWidth={2} aria-hidden />
      {t('hooks.add')}
    </Button>
  );
  const failure = setEnabled.error ?? remove.error ?? run.error;
  return (
    <div className="settings-fields">
      <LastKnown />
      <div className="settings-line">
        <p className="settings-quiet settings-grow">{t('hooks.text')}</p>
        {(hooks.length > 0 || problems.length > 0) && add}
      </div>
      {!trusted && hooks.some(({ agreed }) => !agreed) && (
        <Callout tone="warn">{t('hooks.untrusted')}</Callout>
      )}
      {failure && <Callout tone="bad">{failureText(failure)}</Callout>}
      {problems.length > 0 && (
        <Callout tone="bad" title={t('hooks.problems')}>
          {problems.map(({ message, line }) => (
            <p key={`${line} ${message}`}>{t('hooks.problem', { line, message })}</p>
          ))}
        </Callout>
      )}
      {hooks.length === 0 && problems.length === 0 && (
        <EmptyState icon={Zap} title={t('hooks.none')} text={t('hooks.noneText')}>
          {add}
        </EmptyState>
      )}
      <ul className="settings-list" tabIndex={-1}>
        {hooks.map((hook) => (
          <HookRow
            key={hook.name}
            hook={hook}
            trusted={trusted}
            note={note}
            setEnabled={setEnabled}
            run={run}
            onEdit={() => setEditing(hook.name)}
            onRemove={() => setRemoving(hook)}
          />
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          title={t('hooks.removeTitle', { name: removing.name })}
          text={t('hooks.removeText')}
          confirm={t('hooks.remove')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() =>
            remove.mutate(
              { name: removing.name },
              { onSuccess: () => dropDraft(hookDraftKey(vault, removing)) },
            )
          }
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  );
}
