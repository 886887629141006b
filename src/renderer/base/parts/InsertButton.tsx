import { type ReactNode, useId } from 'react';
import { Button, Tooltip } from '../../ui';
import { type NoteTab, useInsertTarget } from '../layout/insert-target';
import { useLayout } from '../layout/layout';
import type { ActiveEditor } from '../layout/layout-state';
import { t } from '../text/text';

/** Its note may be moved before there is something to insert. */
function pathNow({ id, path }: NoteTab): string {
  const tab = useLayout.getState().tabs.find((one) => one.id === id);
  return tab?.kind === 'note' ? tab.path : path;
}

/** Puts something into the note that is, or was last, looked at; says which one, or why it can't. */
export function InsertButton({
  children,
  size,
  look,
  disabled = false,
  busy,
  onPress,
}: {
  children: ReactNode;
  size?: 's';
  look?: 'primary';
  disabled?: boolean;
  busy?: boolean;
  /** `insert` shows the note and puts something there. */
  onPress(insert: (put: (editor: ActiveEditor) => void) => void): void;
}) {
  const target = useInsertTarget();
  const insertInto = useLayout((layout) => layout.insertInto);
  const isLocked = useLayout(({ locked }) => target !== null && locked.includes(target.id));
  const isOff = target === null || isLocked;
  const words =
    target === null
      ? t('note.noneToInsert')
      : isLocked
        ? t('note.lockedToInsert', { path: target.path })
        : target.path;
  const id = useId();
  return (
    <>
      <Tooltip text={words} side="top">
        <span>
          <Button
            {...(size && { size })}
            {...(look && { look })}
            {...(busy !== undefined && { busy })}
            // One that is off for want of a note takes the focus, so that its reason can be read.
            aria-disabled={isOff || undefined}
            aria-describedby={id}
            disabled={disabled && !isOff}
            onClick={() => !isOff && onPress((put) => insertInto(pathNow(target), put))}
          >
            {children}
          </Button>
        </span>
      </Tooltip>
      <span id={id} hidden>
        {words}
      </span>
    </>
  );
}
