import type { KeyboardEvent } from 'react';
import { foldersAbove, type TreeRow } from './tree';
import { useTree } from './tree-state';

interface TreeKeysParts {
  readonly rows: readonly TreeRow[];
  /** The chosen row. */
  readonly at: number;
  open(row: TreeRow): void;
  openMenu(): void;
}

/** The keys of the tree of files: along the rows, into folders, and what a row's menu does. */
export function useTreeKeys({ rows, at, open, openMenu }: TreeKeysParts): (event: KeyboardEvent) => void {
  const { choose, setExpanded, rename, remove, renaming } = useTree();
  return (event: KeyboardEvent) => {
    if (renaming !== null || event.target instanceof HTMLInputElement) return;
    const row = rows[at];
    const go = (to: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (next) choose(next.path);
    };
    switch (event.key) {
      case 'ArrowDown':
        go(at + 1);
        break;
      case 'ArrowUp':
        go(at - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(rows.length - 1);
        break;
      case 'ArrowRight':
        if (row?.kind === 'folder' && !row.expanded) setExpanded([row.path], true);
        else go(at + 1);
        break;
      case 'ArrowLeft': {
        const parent = row && foldersAbove(row.path).at(-1);
        if (row?.expanded) setExpanded([row.path], false);
        else if (parent) choose(parent);
        break;
      }
      case 'Enter':
      case ' ':
        if (row) open(row);
        break;
      case 'F2':
        if (row) rename(row.path);
        break;
      case 'Delete':
        if (row) remove(row.path);
        break;
      case 'ContextMenu':
        openMenu();
        break;
      case 'F10':
        if (!event.shiftKey) return;
        openMenu();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
}
