import type { LinkTargets } from '../../../../markdown';

/** The note or file that a link in `from` means; else a note to be made. */
export function resolveNote(targets: Pick<LinkTargets, 'find'>, target: string, from: string): string {
  const linkPath = pathIn(target);
  if (linkPath === '') return from;
  const match = targets.find(linkPath, from);
  if (match !== null) return match;
  const path = linkPath.replace(/^\.?\//, '');
  return /\.[a-z0-9]{1,8}$/i.test(path) ? path : `${path}.md`;
}

/** Whether links in `from` lead to something that is there. */
export const leadsIn =
  (targets: Pick<LinkTargets, 'find'>, from: string) =>
  (target: string): boolean => {
    const path = pathIn(target);
    return path === '' || targets.find(path, from) !== null;
  };

/** Without the place in the note; empty for a place in the note of the link. */
const pathIn = (target: string): string => (target.split('#')[0] ?? '').trim();
