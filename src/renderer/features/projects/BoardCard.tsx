import { CalendarClock, Hourglass, Link2, User } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { type EntityBrief, workStatuses } from '../../../contract/projects';
import { useLayout } from '../../base/layout/layout';
import { t } from '../../base/text/text';
import { ContextMenu, classes } from '../../ui';
import { type HeldCard, putHeld } from './held-card';
import { Priority, TypeIcon } from './Marks';
import { shortDate, statusWord } from './words';

export interface BoardCardProps {
  card: EntityBrief;
  /** The one that Tab leads to. */
  current: boolean;
  /** It has the focus, or takes it. */
  hasFocus: boolean;
  isShown: boolean;
  onChoose(id: string): void;
  onOpen(id: string): void;
  onMove(card: HeldCard, status: string): void;
}

export function BoardCard({ card, current, hasFocus, isShown, onChoose, onOpen, onMove }: BoardCardProps) {
  const openNote = useLayout((layout) => layout.openNote);
  const { id, title, type, parent, assignee, dependsOn, waitsFor, targetDate, overdue } = card;
  const button = useRef<HTMLButtonElement>(null);
  /** What the menu was opened on. */
  const [opened, setOpened] = useState<EntityBrief | null>(null);
  const chosen = opened ?? card;
  useLayoutEffect(() => {
    const focused = document.activeElement;
    // Meanwhile the person may have gone elsewhere.
    if (hasFocus && (focused === document.body || focused?.closest('.board-columns')))
      button.current?.focus();
  }, [hasFocus]);
  return (
    <ContextMenu
      onOpenChange={(isOpen) => setOpened(isOpen ? card : null)}
      items={[
        { label: t('board.open'), keys: ['↵'], run: () => onOpen(id) },
        { label: t('detail.openNote'), run: () => openNote(card.path) },
        { kind: 'line' },
        { kind: 'heading', label: t('board.moveTo') },
        ...workStatuses.map((status) => ({
          label: statusWord(status),
          disabled: status === chosen.status,
          run: () => onMove(chosen, status),
        })),
      ]}
    >
      <button
        type="button"
        ref={button}
        className={classes('card', isShown && 'card-shown', card.overdue && 'card-overdue')}
        data-id={id}
        tabIndex={current ? 0 : -1}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        draggable
        onDragStart={(event) => {
          putHeld(event.dataTransfer, card);
          event.dataTransfer.effectAllowed = 'move';
        }}
        onFocus={() => onChoose(id)}
        onClick={() => onOpen(id)}
        onDoubleClick={() => openNote(card.path)}
      >
        <span className="card-head">
          <TypeIcon type={type} size={13} />
          <span className="entity-id">{id}</span>
          <span className="card-space" />
          <Priority priority={card.priority} />
        </span>
        <span className="card-title">{title}</span>
        <span className="card-foot">
          {parent && <span className="card-parent">{parent}</span>}
          {assignee && (
            <span className="card-fact">
              <User size={12} strokeWidth={1.75} aria-hidden />
              <span>{assignee}</span>
            </span>
          )}
          {targetDate && (
            <span className={classes('card-fact', overdue && 'card-late')}>
              <CalendarClock size={12} strokeWidth={1.75} aria-hidden />
              {shortDate(targetDate)}
            </span>
          )}
          <span className="card-space" />
          {dependsOn.length > 0 && <Dependencies waits={waitsFor} all={dependsOn.length} />}
        </span>
      </button>
    </ContextMenu>
  );
}

function Dependencies({ waits, all }: { waits: number; all: number }) {
  const words = waits > 0 ? t('board.waits', { count: waits }) : t('board.depends', { count: all });
  const Icon = waits > 0 ? Hourglass : Link2;
  return (
    <span
      className={classes('card-fact', waits > 0 && 'card-waits')}
      role="img"
      aria-label={words}
      title={words}
    >
      <Icon size={12} strokeWidth={1.75} aria-hidden />
      {waits > 0 ? waits : all}
    </span>
  );
}
