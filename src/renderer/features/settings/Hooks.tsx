import { Ellipsis, Pencil, Play, Plus, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import type { HookEntry } from '../../../contract/hooks';
import { useAction, useCoreState } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { draftsOf, dropDraft, useFormsTakenUp } from '../../base/drafts/form-draft';
import { useLastSeen } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { ago, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, ConfirmDialog, EmptyState, IconButton, Menu, Switch } from '../../ui';
import { HookForm } from './HookForm';
import { actionOf, hookDraftKey } from './hook-draft';
import { useFormInPlace } from './use-form-in-place';

/** What the vault's `hooks.json` has run by itself, how it went, and how it is changed. */
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
          <li key={hook.name}>
            <Switch
              aria-label={t('hooks.enabled', { name: hook.name })}
              checked={hook.enabled !== false}
              waiting={setEnabled.isPending}
              onChange={(enabled) => setEnabled.mutate({ name: hook.name, enabled })}
            />
            <span className="settings-list-text settings-hook">
              <span>{hook.name}</span>
              <small>{whatItDoes(hook)}</small>
              {trusted && hook.enabled !== false && !hook.agreed ? (
                <small className="settings-hook-waits">{t('hooks.waits')}</small>
              ) : (
                <LastRun hook={hook} />
              )}
            </span>
            <Button
              size="s"
              disabled={!hook.agreed}
              waiting={hook.lastRun?.outcome === 'running'}
              busy={run.isPending && run.variables.name === hook.name}
              title={
                hook.agreed
                  ? note && !hook.in
                    ? t('hooks.runNowOn', { note })
                    : undefined
                  : t('hooks.waits')
              }
              onClick={() => run.mutate({ name: hook.name, path: note })}
            >
              <Play size={13} strokeWidth={2} aria-hidden />
              {t('hooks.runNow')}
            </Button>
            <Menu
              align="end"
              items={[
                { label: t('hooks.edit'), icon: Pencil, run: () => setEditing(hook.name) },
                { kind: 'line' },
                { label: t('hooks.remove'), icon: Trash2, danger: true, run: () => setRemoving(hook) },
              ]}
            >
              <IconButton icon={Ellipsis} label={t('ui.more')} data-opens={hook.name} />
            </Menu>
          </li>
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

/** “After an answer · agent Critic · notes Journal/**”. */
function whatItDoes({ on, every, run, note, tool, in: where }: HookEntry): string {
  const [kind, which] = actionOf(run);
  return [
    on === 'schedule' && every ? t('hooks.every', { time: every }) : t(`hooks.on.${on}`),
    `${t(`hooks.kind.${kind}`)} ${which}`,
    note && t('hooks.notes', { glob: note }),
    tool && t('hooks.calls', { glob: tool }),
    where && t('hooks.in', { note: where }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function LastRun({ hook: { lastRun } }: { hook: HookEntry }) {
  const now = useNow(5_000, lastRun !== null);
  if (lastRun === null) return <small>{t('hooks.never')}</small>;
  const when = ago(lastRun.at, now);
  switch (lastRun.outcome) {
    case 'running':
      return <small>{t('hooks.running')}</small>;
    case 'ok':
      return (
        <small className="settings-hook-ok">{t('hooks.ok', { ago: when, time: shortMs(lastRun.ms) })}</small>
      );
    case 'stopped':
      return <small>{t('hooks.stopped', { ago: when })}</small>;
    case 'failed':
      return (
        <small className="settings-hook-failed">
          {t('hooks.failed', { ago: when })}: {lastRun.detail}
        </small>
      );
  }
}
