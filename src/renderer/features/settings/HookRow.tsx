import { Ellipsis, Pencil, Play, Trash2 } from 'lucide-react';
import type { HookEntry } from '../../../contract/hooks';
import type { useAction } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { ago, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, IconButton, Menu, Switch } from '../../ui';
import { actionOf, asWritten } from './hook-draft';

interface HookRowProps {
  hook: HookEntry;
  /** Whether the vault's hooks may run at all. */
  trusted: boolean;
  /** The note that is looked at, on which it may be run. */
  note: string | null;
  setEnabled: ReturnType<typeof useAction<'hooks.setEnabled'>>;
  run: ReturnType<typeof useAction<'hooks.run'>>;
  onEdit(): void;
  onRemove(): void;
}

/** A hook in the list: what it does, how it went last, and its switch and buttons. */
export function HookRow({ hook, trusted, note, setEnabled, run, onEdit, onRemove }: HookRowProps) {
  return (
    <li>
      <Switch
        aria-label={t('hooks.enabled', { name: hook.name })}
        checked={hook.enabled !== false}
        waiting={setEnabled.isPending}
        onChange={(enabled) => setEnabled.mutate({ hook: asWritten(hook), enabled })}
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
        busy={run.isPending && run.variables.hook.name === hook.name}
        title={
          hook.agreed ? (note && !hook.in ? t('hooks.runNowOn', { note }) : undefined) : t('hooks.waits')
        }
        onClick={() => run.mutate({ hook: asWritten(hook), path: note })}
      >
        <Play size={13} strokeWidth={2} aria-hidden />
        {t('hooks.runNow')}
      </Button>
      <Menu
        align="end"
        items={[
          { label: t('hooks.edit'), icon: Pencil, run: onEdit },
          { kind: 'line' },
          { label: t('hooks.remove'), icon: Trash2, danger: true, run: onRemove },
        ]}
      >
        <IconButton icon={Ellipsis} label={t('ui.more')} data-opens={hook.name} />
      </Menu>
    </li>
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
