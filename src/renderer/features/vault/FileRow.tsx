import { ChevronRight, Copy, File, FilePlus, FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { folderOf } from '../../app/format';
import { t } from '../../app/text';
import { ContextMenu, classes, type MenuItem } from '../../ui';
import type { FileActions } from './file-actions';
import { pathNamed } from './path-named';
import type { TreeRow } from './tree';
import { useTree } from './tree-state';

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
        {renaming === row.path ? <NameField row={row} actions={actions} /> : <span>{row.name}</span>}
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

function NameField({ row, actions }: { row: TreeRow; actions: FileActions }) {
  const rename = useTree((tree) => tree.rename);
  const left = useRef(false);
  const leave = (name: string | null) => {
    if (left.current) return;
    const to = pathNamed(row, name ?? '');
    if (to === null) return rename(null);
    left.current = true;
    void actions.moveTo(row.path, to).then((moved) => {
      // What was typed stays to be mended.
      left.current = moved;
      if (moved) rename(null);
    });
  };
  return (
    <input
      className="file-name-field"
      type="text"
      aria-label={t('files.renameLabel', { name: row.name })}
      defaultValue={row.name}
      spellCheck={false}
      ref={(field) => {
        if (field && document.activeElement !== field) field.select();
      }}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') leave(event.currentTarget.value);
        if (event.key === 'Escape') leave(null);
      }}
      onBlur={(event) => leave(event.currentTarget.value)}
    />
  );
}
