import './approvals.css';
import { ShieldQuestion } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { ApprovalAsked } from '../../../contract/tools';
import { useConnected } from '../../base/core/connected';
import { type Command, useRegisteredCommands } from '../../base/keyboard/commands';
import { useLayout } from '../../base/layout/layout';
import { useIsFresh } from '../../base/parts/fresh';
import { noteName } from '../../base/text/format';
import { t, useLanguage } from '../../base/text/text';
import { Button, Tray } from '../../ui';
import { ApprovalCard } from './ApprovalCard';
import { isArmed, useArming } from './armed';
import { asksForLeave } from './asked-words';
import { isInSight, useAnswerable } from './shown-cards';
import { isRefusing, useDecide, useDraftsOfWaiting, useWaiting } from './waiting';

/** Every call that waits, from any note. Wherever the focus is, the keys answer what is on the screen; where nothing is, they show the list. */
export function ApprovalTray() {
  const waiting = useWaiting();
  const connected = useConnected();
  const answerable = useAnswerable();
  const [open, setOpen] = useState(false);
  const show = useCallback(() => setOpen(true), []);
  useDraftsOfWaiting();
  useAnswerKeys(connected ? answerable : undefined);
  useListKeys(answerable ? 0 : waiting.length, show);
  if (open && waiting.length === 0) setOpen(false);
  if (waiting.length === 0) return null;
  return (
    <Tray
      icon={ShieldQuestion}
      label={t('ask.waiting', { count: waiting.length })}
      className="approval-tray"
      open={open}
      onOpenChange={setOpen}
    >
      <CardList ids={waiting.map(({ id }) => id).join()}>
        {waiting.map((approval) => (
          <div key={approval.id}>
            <ApprovalCard approval={approval} />
            {approval.path !== null && <OpenNote path={approval.path} />}
          </div>
        ))}
      </CardList>
    </Tray>
  );
}

/** Every card of it stands elsewhere when one has come or gone. */
function CardList({ ids, children }: { ids: string; children: ReactNode }) {
  return (
    <div className="approval-list" data-fresh={useIsFresh(ids)}>
      {children}
    </div>
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

function useAnswerKeys(approval: ApprovalAsked | undefined): void {
  const { allow, deny } = useDecide();
  useArming(approval?.id);
  const language = useLanguage((state) => state.language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the titles change with the language.
  const commands = useMemo<Command[]>(() => {
    if (!approval) return [];
    const name = `${approval.serverName} · ${approval.tool}`;
    const hears = () => isInSight(approval.id);
    // With a reason against it begun, its card offers no other answer.
    const mayAllow = () => !isRefusing(approval.id);
    return [
      {
        id: 'approvals.once',
        about: approval.id,
        title: t('ask.command.once', { name }),
        keys: 'Alt-y',
        when: mayAllow,
        hears,
        run: () => isArmed(approval.id) && allow(approval, 'once'),
      },
      {
        id: 'approvals.always',
        about: approval.id,
        title: t('ask.command.always', { name }),
        keys: 'Alt-a',
        when: () => asksForLeave(approval) && mayAllow(),
        hears,
        run: () => isArmed(approval.id) && allow(approval, 'tool'),
      },
      {
        id: 'approvals.deny',
        about: approval.id,
        title: t('ask.command.deny', { name }),
        keys: 'Alt-n',
        hears,
        run: () => isArmed(approval.id) && deny(approval),
      },
    ];
  }, [approval, allow, deny, language]);
  useRegisteredCommands(commands);
}

/** `n` calls wait, and none of them is on the screen. */
function useListKeys(n: number, show: () => void): void {
  const language = useLanguage((state) => state.language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title changes with the language.
  const commands = useMemo<Command[]>(
    () =>
      n === 0
        ? []
        : [
            {
              id: 'approvals.show',
              title: t('ask.waiting', { count: n }),
              keys: 'Alt-y',
              heardToo: 'Alt-n',
              run: show,
            },
          ],
    [n, show, language],
  );
  useRegisteredCommands(commands);
}
