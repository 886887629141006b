import type { ServerDraft, ServerEntry } from '../../../contract/mcp';
import { shownCommand } from '../../../contract/shown-command';
import { maskedArgs, maskedText } from '../../foundation';
import { shownArgs } from './shown-values';

/** A masked text in a form would be saved over the real one: only what may be seen whole, or has what stands for it. */
export function asWritten({
  name,
  command,
  args = [],
  url,
}: ServerDraft): Pick<ServerEntry, 'command' | 'args' | 'hiddenArgs' | 'url'> {
  const visible = shownArgs(name, args);
  const hiddenArgs = visible.filter((arg, at) => arg !== args[at]);
  return {
    command: command !== undefined && maskedText(command) === command ? command : null,
    args: command === undefined ? null : visible,
    ...(hiddenArgs.length > 0 && { hiddenArgs }),
    url: url !== undefined && maskedText(url) === url ? url : null,
  };
}

/** The program with its arguments, or the address; what looks like a secret is hidden. */
export function targetOf({ command, args = [], url }: ServerDraft): string {
  if (url !== undefined) return maskedText(url);
  return shownCommand([maskedText(command ?? ''), ...maskedArgs(args)]);
}
