import { CheckSquare2, FileText, Flag, type LucideIcon, Scale, ScrollText } from 'lucide-react';
import type { EntityType } from '../../../contract/projects';
import { Badge, StatusDot } from '../../ui';
import { priorityWord, statusTone, statusWord, typeWord } from './words';

export const typeIcons: Readonly<Record<EntityType, LucideIcon>> = {
  milestone: Flag,
  story: ScrollText,
  task: CheckSquare2,
  decision: Scale,
  document: FileText,
};

export function TypeIcon({ type, size = 14 }: { type: EntityType; size?: number }) {
  const Icon = typeIcons[type];
  return (
    <Icon
      className={`entity-icon entity-icon-${type}`}
      size={size}
      strokeWidth={1.75}
      aria-label={typeWord(type)}
    />
  );
}

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={statusTone(status)}>{statusWord(status)}</Badge>;
}

export function Status({ status }: { status: string }) {
  return (
    <span className="entity-status">
      <StatusDot tone={statusTone(status)} />
      {statusWord(status)}
    </span>
  );
}

const bars: Readonly<Record<string, number>> = { low: 1, medium: 2, high: 3, critical: 4 };

/** Bars as of a signal; the word is told to those who do not see them. */
export function Priority({ priority }: { priority: string | null }) {
  if (priority === null || !(priority in bars)) return null;
  const filled = bars[priority] ?? 0;
  return (
    <span
      className={`entity-priority entity-priority-${priority}`}
      role="img"
      aria-label={priorityWord(priority)}
      title={priorityWord(priority)}
    >
      {[1, 2, 3, 4].map((bar) => (
        <span key={bar} data-filled={bar <= filled || undefined} style={{ height: 3 + bar * 2 }} />
      ))}
    </span>
  );
}
