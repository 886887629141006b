import './approvals.css';
import { ShieldQuestion } from 'lucide-react';
import { useMemo } from 'react';
import type { ApprovalAsked } from '../../../contract/tools';
import { type Command, useRegisteredCommands } from '../../app/commands';
import { useConnected } from '../../app/connected';
import { noteName } from '../../app/format';
import { useLayout } from '../../app/layout';
import { t, useLanguage } from '../../app/text';
import { Button, Tray } from '../../ui';
import { ApprovalCard } from './ApprovalCard';
import { isArmed, useArming } from './armed';
import { asksForLeave } from './asked-words';
import { useDecide, useDraftsOfWaiting, useWaiting } from './waiting';

/** Every call that waits, from any note; its keys answer the oldest wherever the focus is. */
export function ApprovalTray() {
  const waiting = useWaiting();
  const connected = useConnected();
  useDraftsOfWaiting();
  useAnswerKeys(connected ? waiting[0] : undefined);
  if (waiting.length === 0) return null;
  return (
    <Tray icon={ShieldQuestion} label={t('ask.waiting', { n: waiting.length })} className="approval-tray">
      <div className="approval-list">
        {waiting.map((asked, at) => (
          <div key={asked.id}>
            <ApprovalCard asked={asked} isOldest={at === 0} />
            {asked.path !== null && <OpenNote path={asked.path} />}
          </div>
        ))}
      </div>
    </Tray>
  );
}

function OpenNote({ path }: { path: string }) {
  const openNote = useLayout((layout) => layout.openNote);
  return (
    <Button size="s" look="quiet" onClick={() => openNote(path)}>
      {t('ask.openNote', { name: noteName(path) })}
    </Button>
  );
}

function useAnswerKeys(oldest: ApprovalAsked | undefined): void {
  const { allow, deny } = useDecide();
  useArming(oldest?.id);
  const language = useLanguage((state) => state.language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the titles change with the language.
  const commands = useMemo<Command[]>(() => {
    if (!oldest) return [];
    const name = `${oldest.serverName} · ${oldest.tool}`;
    return [
      {
        id: 'approvals.once',
        title: t('ask.command.once', { name }),
        keys: 'Alt-y',
        run: () => isArmed(oldest.id) && allow(oldest, 'once'),
      },
      {
        id: 'approvals.always',
        title: t('ask.command.always', { name }),
        keys: 'Alt-a',
        when: () => asksForLeave(oldest),
        run: () => isArmed(oldest.id) && allow(oldest, 'tool'),
      },
      {
        id: 'approvals.deny',
        title: t('ask.command.deny', { name }),
        keys: 'Alt-n',
        run: () => deny(oldest),
      },
    ];
  }, [oldest, allow, deny, language]);
  useRegisteredCommands(commands);
}
