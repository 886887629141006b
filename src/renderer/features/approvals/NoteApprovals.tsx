import './approvals.css';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import type { ApprovalAsked } from '../../../contract/tools';
import { useLayout } from '../../app/layout';
import { t } from '../../app/text';
import { ApprovalCard } from './ApprovalCard';
import { useWaiting } from './waiting';

/** The calls of one note that wait, docked under its text: the oldest in full, the others counted. */
export function NoteApprovals({ path }: { path: string }) {
  const waiting = useWaiting();
  const own = waiting.filter((asked) => asked.path === path);
  const first = own[0];
  const dock = useRef<HTMLDivElement>(null);
  return (
    <div className="approval-dock" aria-live="polite" ref={dock}>
      {first && (
        <GivesFocusBack key={first.id} dock={dock}>
          <ApprovalCard asked={first} isOldest={first === waiting[0]} onLeave={toNote} />
        </GivesFocusBack>
      )}
      {own.length > 1 && (
        <p className="approval-more">{t('ask.then', { n: own.length - 1, tools: namesOf(own.slice(1)) })}</p>
      )}
    </div>
  );
}

const toNote = () => useLayout.getState().editor?.focus();

/** Whoever has answered here goes on in the note, not nowhere. */
function GivesFocusBack({ dock, children }: { dock: RefObject<HTMLElement | null>; children: ReactNode }) {
  useLayoutEffect(
    () => () => {
      if (!dock.current?.contains(document.activeElement)) return;
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) useLayout.getState().editor?.focus();
      });
    },
    [dock],
  );
  return children;
}

const namesOf = (waiting: readonly ApprovalAsked[]) =>
  [...new Set(waiting.map(({ tool }) => tool))].join(', ');
