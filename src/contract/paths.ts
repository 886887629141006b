/** Whether a path of a vault is the folder's own or lies below it; `''` is the vault itself. */
export const isUnder = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Where something stands after what stood at `from` was moved to `to`: what does not lie there stays. */
export const movedPath = (path: string, from: string, to: string): string =>
  isUnder(path, from) ? to + path.slice(from.length) : path;
