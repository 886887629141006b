import { folderOf } from '../../base/text/format';
import type { TreeRow } from './tree';

/** Where something in the tree is to be once a name was typed for it; a slash moves it into a folder. Null: where it is. */
export function pathNamed(
  { path, kind, name }: Pick<TreeRow, 'path' | 'kind' | 'name'>,
  typed: string,
): string | null {
  if (typed === name) return null;
  const parts = typed.split('/').map((part) => part.trim());
  const trimmed = parts.filter((part) => part !== '').join('/');
  if (trimmed === '' || trimmed === name) return null;
  const file = kind === 'note' && !/\.md$/i.test(trimmed) ? `${trimmed}.md` : trimmed;
  const folder = folderOf(path);
  return folder === '' ? file : `${folder}/${file}`;
}
