import './approvals.css';
import { ApprovalCard } from './ApprovalCard';
import { useWaiting } from './waiting';

/** The calls of one note that wait, docked under its text: the oldest in full, the others counted. */
export function NoteApprovals({ path }: { path: string }) {
  const waiting = useWaiting();
  const own = waiting.filter((asked) => asked.path === path);
  const first = own[0];
  return (
    <div className="approval-dock" aria-live="polite">
      {first && <ApprovalCard key={first.id} asked={first} isOldest={first === waiting[0]} />}
      {own.length > 1 && (
        <p className="approval-more">
          Then {own.length === 2 ? 'one more' : `${own.length - 1} more`}:{' '}
          {own
            .slice(1, 4)
            .map((asked) => asked.tool)
            .join(', ')}
          {own.length > 4 && ' …'}
        </p>
      )}
    </div>
  );
}
