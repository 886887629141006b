import type { VaultEntry } from '../../../contract/vault';

export interface TreeRow {
  readonly path: string;
  readonly name: string;
  readonly kind: VaultEntry['kind'];
  readonly depth: number;
  readonly expanded: boolean;
}

export interface TreeOptions {
  readonly expanded: ReadonlySet<string>;
  /** Shows only what has this in its path, and the folders around it, all open. */
  readonly filter: string;
}

interface Node {
  readonly path: string;
  readonly name: string;
  kind: VaultEntry['kind'];
  readonly children: Map<string, Node>;
}

/** The rows in sight, folders first, each group by name as a person would sort it. */
export function treeRows(entries: Iterable<VaultEntry>, { expanded, filter }: TreeOptions): TreeRow[] {
  const words = filter.trim().toLowerCase();
  const root = grow(entries, words);
  const rows: TreeRow[] = [];
  const visit = (node: Node, depth: number) => {
    for (const child of [...node.children.values()].sort(byKindAndName)) {
      const open = child.kind === 'folder' && (words !== '' || expanded.has(child.path));
      rows.push({ path: child.path, name: shownName(child), kind: child.kind, depth, expanded: open });
      if (open) visit(child, depth + 1);
    }
  };
  visit(root, 0);
  return rows;
}

function grow(entries: Iterable<VaultEntry>, words: string): Node {
  const root: Node = { path: '', name: '', kind: 'folder', children: new Map() };
  for (const entry of entries) {
    if (words !== '' && !entry.path.toLowerCase().includes(words)) continue;
    let node = root;
    for (const name of entry.path.split('/')) {
      const existing = node.children.get(name);
      const path = node.path === '' ? name : `${node.path}/${name}`;
      const next: Node = existing ?? { path, name, kind: 'folder', children: new Map() };
      if (!existing) node.children.set(name, next);
      node = next;
    }
    node.kind = entry.kind;
  }
  return root;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function byKindAndName(a: Node, b: Node): number {
  const folders = Number(b.kind === 'folder') - Number(a.kind === 'folder');
  return folders || collator.compare(a.name, b.name);
}

function shownName({ kind, name }: Node): string {
  return kind === 'note' ? name.replace(/\.md$/i, '') : name;
}

/** The row that the keys act on, or -1. */
export function chosenRow(
  rows: readonly Pick<TreeRow, 'path'>[],
  { chosen, chosenNext }: { readonly chosen: string | null; readonly chosenNext: string | null },
): number {
  const at = rows.findIndex(({ path }) => path === chosen);
  return at === -1 ? rows.findIndex(({ path }) => path === chosenNext) : at;
}

/** Every folder on the way to a path. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
