import type { RootEntry, ServerEntry } from '../../../contract/mcp';

const wholeVault = `\${vault}`;
const inVault = `${wholeVault}/`;

/** Which folders a server may know of; `outside` are those elsewhere, which stay whatever is chosen of the vault. */
export type KnownFolders =
  /** Those of the vault, also later ones. */
  | { readonly kind: 'all'; readonly outside: readonly string[] }
  /** As the file says them. */
  | { readonly kind: 'chosen'; readonly roots: readonly string[]; readonly outside: readonly string[] };

type Told = Pick<ServerEntry, 'roots' | 'knowsVault'>;

export function knownFolders({ roots, knowsVault }: Told): KnownFolders {
  if (roots === null)
    return knowsVault ? { kind: 'all', outside: [] } : { kind: 'chosen', roots: [], outside: [] };
  const outside = roots.filter((root) => root !== wholeVault && !root.startsWith(inVault));
  return roots.includes(wholeVault) ? { kind: 'all', outside } : { kind: 'chosen', roots, outside };
}

/** Folders of the vault by their one name here, however the file writes them. */
export function namedAlike<T extends Told>(told: T, pictures: readonly RootEntry[]): T {
  const names = new Map(pictures.map(({ root, inVault }) => [root, inVault]));
  const alike = (root: string) => {
    const folder = names.get(root) ?? null;
    return folder === null ? root : folder === '' ? wholeVault : rootOf(folder);
  };
  return { ...told, roots: told.roots && [...new Set(told.roots.map(alike))] };
}

/** Those that do not exist. */
export const namedGone = (pictures: readonly RootEntry[]) =>
  pictures.flatMap(({ root, inVault, isThere }) =>
    isThere ? [] : [inVault === null || inVault === '' ? root : rootOf(inVault)],
  );

export const rootOf = (folder: string) => inVault + folder;

/** What a person sees of an entry of the file. */
export const folderOf = (root: string) => (root.startsWith(inVault) ? root.slice(inVault.length) : root);

/** What is to stand in the file once a person has said so; null: nothing. */
export function switchAll(on: boolean, told: Told): string[] | null {
  return written(on ? [wholeVault] : [], told);
}

/** The same for one folder; of `all` the others at the top of the vault stay. */
export function switchRoot(
  root: string,
  on: boolean,
  told: Told,
  folders: readonly string[],
): string[] | null {
  const known = knownFolders(told);
  const isOutside = known.outside.includes(root);
  if (isOutside)
    return written(vaultPart(told), { ...told, roots: known.outside.filter((one) => one !== root) });
  const before = known.kind === 'all' ? folders.map(rootOf) : vaultPart(told);
  const others = before.filter((other) => other !== root);
  return written(on ? [...others, root] : others, told);
}

const vaultPart = (told: Told) => {
  const known = knownFolders(told);
  return known.kind === 'all' ? [wholeVault] : known.roots.filter((root) => !known.outside.includes(root));
};

function written(ofVault: readonly string[], told: Told): string[] | null {
  const { outside } = knownFolders(told);
  const usual = told.knowsVault ? [wholeVault] : [];
  const isUsual = outside.length === 0 && ofVault.length === usual.length && ofVault[0] === usual[0];
  return isUsual ? null : [...ofVault, ...outside];
}
