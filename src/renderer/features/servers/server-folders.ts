import type { ServerPicture } from '../../../contract/mcp';

const wholeVault = `\${vault}`;
const inVault = `${wholeVault}/`;

/** Which folders a server may know of. `all`: those of the vault, also later ones. */
export type KnownFolders =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  /** As the file says them. */
  | { readonly kind: 'chosen'; readonly roots: readonly string[] };

type Told = Pick<ServerPicture, 'roots' | 'knowsVault'>;

export function knownFolders({ roots, knowsVault }: Told): KnownFolders {
  if (roots === null) return { kind: knowsVault ? 'all' : 'none' };
  if (roots.includes(wholeVault)) return roots.length === 1 ? { kind: 'all' } : { kind: 'chosen', roots };
  return roots.length === 0 ? { kind: 'none' } : { kind: 'chosen', roots };
}

export const rootOf = (folder: string) => inVault + folder;

/** What a person sees of an entry of the file. */
export const folderOf = (root: string) => (root.startsWith(inVault) ? root.slice(inVault.length) : root);

/** What is to stand in the file once a person has said so; null: nothing. */
export function switchAll(on: boolean, { knowsVault }: Told): string[] | null {
  if (on) return knowsVault ? null : [wholeVault];
  return knowsVault ? [] : null;
}

/** The same for one folder; of `all` the others at the top of the vault stay. */
export function switchRoot(
  root: string,
  on: boolean,
  told: Told,
  folders: readonly string[],
): string[] | null {
  const known = knownFolders(told);
  const before = known.kind === 'all' ? folders.map(rootOf) : known.kind === 'none' ? [] : known.roots;
  const others = before.filter((other) => other !== root);
  const after = on ? [...others, root] : others;
  return after.length === 0 ? switchAll(false, told) : after;
}
