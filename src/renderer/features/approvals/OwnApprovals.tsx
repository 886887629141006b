import './approvals.css';
import { ApprovalCard } from './ApprovalCard';
import { useWaiting } from './waiting';

/** The calls of one tool that the person makes by hand and that wait; shown where they were made. */
export function OwnApprovals({ serverId, tool }: { serverId: string; tool: string }) {
  const waiting = useWaiting();
  return waiting
    .filter((asked) => asked.runId === null && asked.serverId === serverId && asked.tool === tool)
    .map((asked) => <ApprovalCard key={asked.id} asked={asked} isOldest={asked === waiting[0]} />);
}
