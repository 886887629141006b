import './approvals.css';
import { ApprovalCard } from './ApprovalCard';
import { useWaiting } from './waiting';

/** The calls of one tool that the person makes by hand and that wait, or those of a view (`tool` is null); shown where they were made. */
export function OwnApprovals({ serverId, tool }: { serverId: string; tool: string | null }) {
  const waiting = useWaiting();
  return waiting
    .filter((asked) => {
      if (asked.runId !== null || asked.serverId !== serverId) return false;
      return tool === null ? asked.by === 'app' : asked.by !== 'app' && asked.tool === tool;
    })
    .map((asked) => <ApprovalCard key={asked.id} asked={asked} />);
}
