import './no-eval';

const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/** What keeps a name from being used on Windows, and on disks made for it. */
export type NameTrouble =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'reserved' }
  | { readonly kind: 'dot-at-end' }
  | { readonly kind: 'blank-at-end' };

/** Null: the name can be used on every system. */
export function nameTrouble(name: string): NameTrouble | null {
  const character = /[\\:*?"<>|]/.exec(name)?.[0];
  if (character !== undefined) return { kind: 'character', character };
  if (reserved.test(name)) return { kind: 'reserved' };
  if (name.endsWith('.')) return { kind: 'dot-at-end' };
  return name.endsWith(' ') ? { kind: 'blank-at-end' } : null;
}
