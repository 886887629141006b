import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useRef } from 'react';
import { useActiveNote, useLayout } from '../../base/layout/layout';
import { isCanvas } from '../../base/layout/layout-state';
import { t } from '../../base/text/text';
import { FileRow } from './FileRow';
import type { FileActions } from './file-actions';
import { chosenRow, type TreeRow } from './tree';
import { useTree } from './tree-state';
import { useTreeKeys } from './use-tree-keys';

const rowHeight = 28;

export interface FileTreeProps {
  rows: TreeRow[];
  /** What the names are filtered by; the list starts from the top whenever it changes. */
  filter: string;
  actions: FileActions;
}

/** The chosen row's. A browser would ask where text is selected, which may be in the note. */
const openMenu = (at: number) => {
  const row = document.getElementById(`file-${at}`);
  if (!row) return;
  const { left, bottom } = row.getBoundingClientRect();
  const there = { clientX: left + rowHeight, clientY: bottom };
  row.dispatchEvent(new globalThis.MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...there }));
};

/** From then on the keys are for it, though it has the focus a moment later. */
const isMenuOpen = (tree: HTMLElement | null) =>
  tree?.querySelector('[role="treeitem"][data-state="open"]') != null;

export function FileTree({ rows, filter, actions }: FileTreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { chosen, chosenNext, choose, setExpanded, renaming } = useTree();
  const openNote = useLayout((layout) => layout.openNote);
  const active = useActiveNote();
  const at = chosenRow(rows, { chosen, chosenNext });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.path ?? index,
    overscan: 12,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice moves the list.
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [chosen, renaming]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another filter moves the list.
  useEffect(() => {
    if (filter !== '') virtual.scrollToOffset(0);
  }, [filter]);

  const open = (row: TreeRow) => {
    choose(row.path);
    if (row.kind === 'folder') setExpanded([row.path], !row.expanded);
    else if (row.kind === 'note' || isCanvas(row.path)) openNote(row.path);
  };

  /** A press on the list itself is one of the key. */
  const menuAsked = (event: MouseEvent) => {
    if (event.target !== scroller.current || event.nativeEvent.button === 2) return;
    event.preventDefault();
    openMenu(at);
  };

  const onKey = useTreeKeys({ rows, at, open, openMenu: () => openMenu(at) });

  return (
    <div
      className="file-tree"
      ref={scroller}
      role="tree"
      aria-label={t('files.tree')}
      aria-activedescendant={at >= 0 ? `file-${at}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => !isMenuOpen(scroller.current) && onKey(event)}
      onContextMenu={menuAsked}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const path = event.dataTransfer.getData('application/x-vault-path');
        if (path) void actions.moveTo(path, path.split('/').pop() ?? path);
      }}
    >
      <div className="file-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <FileRow
                key={row.path}
                id={`file-${index}`}
                row={row}
                top={start}
                chosen={index === at}
                active={row.path === active}
                actions={actions}
                onOpen={() => {
                  scroller.current?.focus();
                  open(row);
                }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
