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
export function namedAlike<T extends Told>(server: T, rootEntries: readonly RootEntry[]): T {
  const names = new Map(rootEntries.map(({ root, inVault }) => [root, inVault]));
  const alike = (root: string) => {
    const folder = names.get(root) ?? null;
    return folder === null ? root : folder === '' ? wholeVault : rootOf(folder);
  };
  return { ...server, roots: server.roots && [...new Set(server.roots.map(alike))] };
}

/** Those that do not exist. */
export const namedGone = (rootEntries: readonly RootEntry[]) =>
  rootEntries.flatMap(({ root, inVault, isThere }) =>
    isThere ? [] : [inVault === null || inVault === '' ? root : rootOf(inVault)],
  );

export const rootOf = (folder: string) => inVault + folder;

/** What a person sees of an entry of the file. */
export const folderOf = (root: string) => (root.startsWith(inVault) ? root.slice(inVault.length) : root);

/** What is to stand in the file once a person has said so; null: nothing. */
export function switchAll(on: boolean, server: Told): string[] | null {
  return written(on ? [wholeVault] : [], server);
}

/** The same for one folder; of `all` the others at the top of the vault stay. */
export function switchRoot(
  root: string,
  on: boolean,
  server: Told,
  folders: readonly string[],
): string[] | null {
  const access = knownFolders(server);
  const isOutside = access.outside.includes(root);
  if (isOutside)
    return written(vaultPart(server), { ...server, roots: access.outside.filter((one) => one !== root) });
  const before = access.kind === 'all' ? folders.map(rootOf) : vaultPart(server);
  const others = before.filter((other) => other !== root);
  return written(on ? [...others, root] : others, server);
}

const vaultPart = (server: Told) => {
  const access = knownFolders(server);
  return access.kind === 'all' ? [wholeVault] : access.roots.filter((root) => !access.outside.includes(root));
};

function written(ofVault: readonly string[], server: Told): string[] | null {
  const { outside } = knownFolders(server);
  const usual = server.knowsVault ? [wholeVault] : [];
  const isUsual = outside.length === 0 && ofVault.length === usual.length && ofVault[0] === usual[0];
  return isUsual ? null : [...ofVault, ...outside];
}
