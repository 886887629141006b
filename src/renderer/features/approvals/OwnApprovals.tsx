import './approvals.css';
import { ApprovalCard } from './ApprovalCard';
import { useWaiting } from './waiting';

/** The calls of one tool that the person makes by hand and that wait, or those of a view (`tool` is null); shown where they were made. */
export function OwnApprovals({ serverId, tool }: { serverId: string; tool: string | null }) {
  const waiting = useWaiting();
  return waiting
    .filter((approval) => {
      if (approval.runId !== null || approval.serverId !== serverId) return false;
      return tool === null ? approval.by === 'app' : approval.by !== 'app' && approval.tool === tool;
    })
    .map((approval) => <ApprovalCard key={approval.id} approval={approval} />);
}
