import { ChevronRight, Copy, File, FilePlus, FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useConnected } from '../../base/core/connected';
import { useLayout } from '../../base/layout/layout';
import { folderOf } from '../../base/text/format';
import { t } from '../../base/text/text';
import { ContextMenu, classes, type MenuItem } from '../../ui';
import type { FileActions } from './file-actions';
import { pathNamed } from './path-named';
import type { TreeRow } from './tree';
import { type Renaming, useTree } from './tree-state';

export interface FileRowProps {
  id: string;
  row: TreeRow;
  top: number;
  chosen: boolean;
  active: boolean;
  actions: FileActions;
  onOpen(): void;
}

/** Deep folders move in less and less, so that there is room left for a name. */
const indent = (depth: number) => 8 + Math.min(depth, 6) * 16 + Math.max(0, depth - 6) * 4;

export function FileRow({ id, row, top, chosen, active, actions, onOpen }: FileRowProps) {
  const { renaming, rename, move, remove, choose } = useTree();
  const folder = row.kind === 'folder' ? row.path : folderOf(row.path);
  const menu: MenuItem[] = [
    { label: t('files.newNote'), icon: FilePlus, run: () => actions.createNote(folder) },
    { label: t('files.newFolder'), icon: FolderPlus, run: () => actions.createFolder(folder) },
    { kind: 'line' },
    { label: t('files.rename'), icon: Pencil, keys: ['F2'], run: () => rename(row.path) },
    { label: t('files.move'), icon: FolderInput, run: () => move(row.path) },
    { label: t('files.copyPath'), icon: Copy, run: () => void navigator.clipboard.writeText(row.path) },
    { kind: 'line' },
    { label: t('files.delete'), icon: Trash2, keys: ['Del'], danger: true, run: () => remove(row.path) },
  ];

  return (
    <ContextMenu items={menu}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the tree. */}
      <div
        id={id}
        role="treeitem"
        tabIndex={-1}
        aria-level={row.depth + 1}
        aria-selected={chosen}
        aria-current={active ? 'page' : undefined}
        {...(row.kind === 'folder' ? { 'aria-expanded': row.expanded } : {})}
        className={classes('file-row', chosen && 'file-row-chosen', active && 'file-row-active')}
        style={{ transform: `translateY(${top}px)`, paddingLeft: indent(row.depth) }}
        title={row.path}
        draggable={renaming === null}
        onDragStart={(event) => event.dataTransfer.setData('application/x-vault-path', row.path)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.stopPropagation();
          const path = event.dataTransfer.getData('application/x-vault-path');
          const name = path.split('/').pop();
          if (name) void actions.moveTo(path, folder === '' ? name : `${folder}/${name}`);
        }}
        onClick={onOpen}
        onContextMenu={() => choose(row.path)}
      >
        <Mark row={row} />
        {renaming?.path === row.path ? (
          <NameField row={row} renaming={renaming} actions={actions} />
        ) : (
          <span>{row.name}</span>
        )}
      </div>
    </ContextMenu>
  );
}

function Mark({ row }: { row: TreeRow }) {
  if (row.kind === 'folder') {
    return <ChevronRight className="file-mark" size={14} strokeWidth={1.75} aria-hidden />;
  }
  return row.kind === 'file' ? (
    <File className="file-mark" size={13} strokeWidth={1.75} aria-hidden />
  ) : (
    <span className="file-mark" />
  );
}

interface NameFieldProps {
  row: TreeRow;
  renaming: Renaming;
  actions: FileActions;
}

/** Those whose field had the focus once: drawn anew, it does not take it from where the person went. */
const begun = new WeakSet<Renaming>();

function isFocusFree(field: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement === document.body || field.closest('.file-tree')?.contains(activeElement) === true;
}

/** Enter goes on in the text of a note just made; else the focus goes back to the tree, unless the person took it elsewhere. */
function NameField({ row, renaming, actions }: NameFieldProps) {
  const endRenaming = useTree((tree) => tree.endRenaming);
  const writeInMade = useLayout((layout) => layout.writeInMade);
  const hasLeft = useRef(false);
  const refused = useRef<string | null>(null);
  const connected = useConnected();
  const input = useRef<HTMLInputElement | null>(null);
  const take = useCallback(
    (field: HTMLInputElement | null) => {
      input.current = field;
      if (!field || (begun.has(renaming) && !isFocusFree(field))) return;
      begun.add(renaming);
      field.select();
    },
    [renaming],
  );
  // Whoever went elsewhere while there was no core to give it the name is not brought back to it.
  useEffect(() => {
    const { current: field } = input;
    if (connected && field && document.activeElement !== field && !isFocusFree(field)) endRenaming();
  }, [connected, endRenaming]);
  const leave = async (name: string): Promise<{ path: string } | null> => {
    if (hasLeft.current) return null;
    hasLeft.current = true;
    const path = pathNamed(row, name) ?? row.path;
    const moved = await actions.moveTo(row.path, path);
    // What was typed stays to be mended.
    hasLeft.current = moved;
    refused.current = moved ? null : name;
    if (!moved) return null;
    endRenaming();
    return { path };
  };
  const entered = (field: HTMLInputElement) => {
    const tree = field.closest<HTMLElement>('.file-tree');
    const leaving = leave(field.value);
    if (renaming.isNewNote) void writeInMade(leaving);
    else void leaving.then((isDone) => isDone && focusIfLost(tree, field));
  };
  const escaped = (field: HTMLInputElement) => {
    hasLeft.current = true;
    actions.forgetProblem();
    field.closest<HTMLElement>('.file-tree')?.focus();
    endRenaming();
  };
  return (
    <input
      className="file-name-field"
      type="text"
      aria-label={t('files.renameLabel', { name: row.name })}
      defaultValue={row.name}
      spellCheck={false}
      ref={take}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        // The commands of the app are heard here as anywhere; which note Ctrl+Enter is for nobody can tell.
        const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && event.key !== 'Enter';
        if (!isCommand) event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') entered(event.currentTarget);
        if (event.key === 'Escape') escaped(event.currentTarget);
      }}
      onBlur={({ currentTarget: { value } }) => {
        // Whoever leaves a name that was refused gives it up.
        if (value === refused.current) endRenaming();
        else void leave(value);
      }}
    />
  );
}

function focusIfLost(tree: HTMLElement | null, field: HTMLElement): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === field) tree?.focus();
}
