/** Keys are written `Mod-Shift-t`; Mod is Command on a Mac and Control elsewhere. */
export const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '');

/** A browser keeps some keys for its own tabs and windows; Electron is known by its scheme. */
const inBrowser = globalThis.location?.protocol !== 'app:';

/**
 * Keys that a browser keeps, and those that do the same there. A browser's window without bars hands on what a tab keeps, so
 * both are heard.
 */
export function keysBesideBrowser(
  keys: string,
  others: string,
  browser = inBrowser,
): { readonly keys: string; readonly heardToo?: string } {
  return browser ? { keys: others, heardToo: keys } : { keys };
}

export interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export function matchesKeys(keys: string, event: Pressed, mac = isMac): boolean {
  const parts = keys.split('-');
  const key = parts.pop() ?? '';
  const modifiers = new Set(parts);
  const control = modifiers.has('Ctrl') || (modifiers.has('Mod') && !mac);
  const command = modifiers.has('Meta') || (modifiers.has('Mod') && mac);
  if (event.ctrlKey !== control || event.metaKey !== command) return false;
  if (event.altKey !== modifiers.has('Alt')) return false;
  if (event.shiftKey !== modifiers.has('Shift')) return false;
  return sameKey(key, event);
}

/** Alt and Shift change what a key types, so letters and digits are also known by their place. */
function sameKey(key: string, event: Pressed): boolean {
  if (event.key.toLowerCase() === key.toLowerCase()) return true;
  if (/^[a-z]$/i.test(key)) return event.altKey && event.code === `Key${key.toUpperCase()}`;
  return /^[0-9]$/.test(key) && event.code === `Digit${key}`;
}

const macNames: Record<string, string> = { Mod: '⌘', Meta: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const names: Record<string, string> = { Mod: 'Ctrl', Meta: 'Win' };
const keyNames: Record<string, string> = {
  Enter: '↵',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Tab: '⇥',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** What a person reads on the keys, one string a key. */
export function keyLabels(keys: string, mac = isMac): string[] {
  return keys.split('-').map((part) => (mac ? macNames : names)[part] ?? keyNames[part] ?? capital(part));
}

function capital(part: string): string {
  return part.length === 1 ? part.toUpperCase() : part;
}
