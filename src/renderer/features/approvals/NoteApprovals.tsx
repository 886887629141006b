import './approvals.css';
import type { ApprovalAsked } from '../../../contract/tools';
import { useLayout } from '../../base/layout/layout';
import { listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { ApprovalCard } from './ApprovalCard';
import { useWaiting } from './waiting';

/** The calls of one note that wait, docked under its text: the oldest in full, the others counted. */
export function NoteApprovals({ path }: { path: string }) {
  const waiting = useWaiting();
  const own = waiting.filter((approval) => approval.path === path);
  const first = own[0];
  return (
    <div className="approval-dock" aria-live="polite">
      {first && <ApprovalCard key={first.id} approval={first} onLeave={toNote} />}
      {own.length > 1 && (
        <p className="approval-more">
          {t('ask.then', { count: own.length - 1, tools: namesOf(own.slice(1)) })}
        </p>
      )}
    </div>
  );
}

const toNote = () => useLayout.getState().editor?.focus();

const namesOf = (waiting: readonly ApprovalAsked[]) => listed([...new Set(waiting.map(({ tool }) => tool))]);
