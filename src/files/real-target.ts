import { readlink, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Where writing to `path` would really land: like `realpath`, but also for what does not exist yet, and through
 * dangling symbolic links to the place that they point at. Loops are an error (`ELOOP`).
 */
export async function realTarget(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  const link = await readlink(path).catch(() => undefined);
  const parent = dirname(path);
  if (link !== undefined) {
    if (links >= 40) throw Object.assign(new Error('Too many symbolic links.'), { code: 'ELOOP' });
    return realTarget(resolve(await realTarget(parent, links + 1), link), links + 1);
  }
  return parent === path
    ? path
    : join(await realTarget(parent, links), path.slice(parent.length).replace(/^[\\/]/, ''));
}
