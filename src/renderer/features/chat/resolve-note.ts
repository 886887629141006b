import type { Core } from '../../app/core';

/** The note that a link in `from` means: a path in the vault, beside the note, or a name anywhere; else one to be made. */
export async function resolveNote(core: Core, target: string, from: string): Promise<string> {
  const wanted = decode(target.split('#')[0] ?? '').replace(/^\.?\//, '') || from;
  const file = /\.[a-z0-9]{1,8}$/i.test(wanted) ? wanted : `${wanted}.md`;
  const beside = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/${file}` : file;
  const lower = file.toLowerCase();
  for await (const change of core.stream('vault.entries', {})) {
    if (change.kind !== 'all') continue;
    const paths = change.entries.filter(({ kind }) => kind === 'note').map(({ path }) => path);
    return (
      paths.find((path) => path === file) ??
      paths.find((path) => path === beside) ??
      paths.find((path) => path.toLowerCase() === lower || path.toLowerCase().endsWith(`/${lower}`)) ??
      file
    );
  }
  return file;
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
