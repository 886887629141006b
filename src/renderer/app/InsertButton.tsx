import type { ReactNode } from 'react';
import { Button, Tooltip } from '../ui';
import { type ActiveEditor, useLayout } from './layout';
import { t } from './text';

/** Puts something into the note that is open; says which one, or why there is none. */
export function InsertButton({
  children,
  size,
  look,
  disabled = false,
  busy,
  onInsert,
}: {
  children: ReactNode;
  size?: 's';
  look?: 'primary';
  disabled?: boolean;
  busy?: boolean;
  onInsert(editor: ActiveEditor): void;
}) {
  const editor = useLayout((layout) => layout.editor);
  const words = !editor ? t('note.noneToInsert') : editor.readOnly ? t('note.readOnlyTitle') : editor.path;
  return (
    <Tooltip text={words} side="top">
      <span>
        <Button
          {...(size && { size })}
          {...(look && { look })}
          {...(busy !== undefined && { busy })}
          disabled={disabled || !editor || editor.readOnly}
          onClick={() => editor && onInsert(editor)}
        >
          {children}
        </Button>
      </span>
    </Tooltip>
  );
}
