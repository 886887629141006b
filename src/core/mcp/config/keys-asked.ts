import type { ServerDraft } from '../../../contract/mcp';
import type { KeyAsked } from '../../../contract/vault';
import { maskedText } from '../../foundation';
import { referencesIn } from './environment';

/** Which of the person's stored keys and variables a server's words are filled in with, and who gets them. */
export function keysAsked(draft: ServerDraft): KeyAsked[] {
  const { command, args, env, cwd, url, headers, roots, oauth } = draft;
  const texts = JSON.stringify([command, args, env, cwd, url, headers, roots, oauth]);
  const to = receiverOf(draft);
  const keys = new Map<string, KeyAsked>();
  for (const { kind, name } of referencesIn(texts)) {
    const at = name.lastIndexOf('/');
    const entry: KeyAsked =
      kind === 'variable'
        ? { kind, name, to }
        : { kind, name: name.slice(at + 1), of: at === -1 ? null : name.slice(0, at), to };
    keys.set(`${kind} ${name}`, entry);
  }
  return [...keys.values()];
}

/** The host, or the program. */
function receiverOf({ command = '', url }: ServerDraft): string {
  const host = url === undefined ? undefined : /^[a-z]+:[\\/]*([^\\/?#]*)/i.exec(url)?.[1];
  return host === undefined ? maskedText(url ?? command) : host.slice(host.lastIndexOf('@') + 1);
}
