/** Finds notes and files by the names that links and embeds use: without regard to case, composition and `.md`. */
export interface LinkTargets {
  add(path: string): void;
  remove(path: string): void;
  clear(): void;
  find(target: string, fromPath: string): string | null;
}

const fold = (path: string) => path.normalize('NFC').toLowerCase();
const withoutEnding = (path: string) => path.replace(/\.(md|markdown)$/i, '');
const lastName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function namesOf(path: string): Set<string> {
  const name = fold(lastName(path));
  return new Set([name, withoutEnding(name)]);
}

export function createLinkTargets(): LinkTargets {
  const byName = new Map<string, Set<string>>();

  function named(target: string, fromPath: string): string | null {
    if (target === '') return null;
    const candidates = [...(byName.get(fold(lastName(target))) ?? [])];
    const means = (path: string, linkTarget: string) =>
      fold(path) === fold(linkTarget) || fold(withoutEnding(path)) === fold(linkTarget);
    const exact = candidates.filter((path) => means(path, target));
    const beside = candidates.filter((path) => means(path, steps(folderOf(fromPath), target)));
    const called = candidates.filter((path) => !target.includes('/') || endsWith(path, target));
    for (const group of [exact, beside, called]) {
      if (group.length > 0) return best(group, target);
    }
    return null;
  }

  return {
    add(path) {
      for (const name of namesOf(path)) {
        const paths = byName.get(name) ?? new Set();
        byName.set(name, paths.add(path));
      }
    },
    remove(path) {
      for (const name of namesOf(path)) {
        const paths = byName.get(name);
        paths?.delete(path);
        if (paths?.size === 0) byName.delete(name);
      }
    },
    clear: () => byName.clear(),
    find(target, fromPath) {
      const relative = (text: string) => text.replace(/^\/+|^(\.\/)+/g, '');
      // A name may begin or end with a blank.
      return named(relative(target), fromPath) ?? named(relative(target.trim()), fromPath);
    },
  };
}

function endsWith(path: string, target: string): boolean {
  const end = `/${fold(target)}`;
  return `/${fold(path)}`.endsWith(end) || `/${fold(withoutEnding(path))}`.endsWith(end);
}

/** `../b` seen from the folder `a/c` is `a/b`. */
function steps(folder: string, target: string): string {
  const way = folder === '' ? [] : folder.split('/');
  for (const step of target.split('/')) {
    if (step === '..') way.pop();
    else if (step !== '.' && step !== '') way.push(step);
  }
  return way.join('/');
}

/** Same spelling before another, a note before another file, then the shortest way, then the alphabet. */
function best(paths: string[], target: string): string | null {
  const spelled = (path: string) => path.endsWith(target) || withoutEnding(path).endsWith(target);
  const rank = (path: string) => (spelled(path) ? 0 : 2) + (withoutEnding(path) !== path ? 0 : 1);
  const depth = (path: string) => path.split('/').length;
  paths.sort(
    (a, b) => rank(a) - rank(b) || depth(a) - depth(b) || a.length - b.length || (a < b ? -1 : a > b ? 1 : 0),
  );
  return paths[0] ?? null;
}
