import {
  openFence,
  parseConversation,
  readsOnAlike,
  scanBlocks,
  staysBelow,
  type TagNames,
  type Turn,
  turnAt,
} from '../../../markdown';
import type { Change } from './insertion-point';

/** What the place below `above` wants before the next words; `closing`: the end of code of others that stands open there. */
export function wantedAt(
  above: string,
  { tags, tag, isInOwn }: { readonly tags: TagNames; readonly tag: string; readonly isInOwn: boolean },
): { closing: string; tag: string } {
  const { turns, newChats } = parseConversation(above, tags, []);
  const turn = turns.at(-1);
  const isOwn = turn?.role === 'assistant' && turn.from > (newChats.at(-1) ?? -1);
  const fence = openFence(above);
  if (isOwn) {
    const isBare = turn.contentFrom === above.length && !/\s$/.test(above);
    return { closing: isInOwn ? '' : fence, tag: isBare ? (/[:：]$/.test(above) ? ' ' : ' : ') : '' };
  }
  const lead = fence !== '' || /^$|\n\n$/.test(above) ? '' : above.endsWith('\n') ? '\n' : '\n\n';
  return { closing: fence, tag: `${lead}#${tag} : ` };
}

/** The code in which a place lies, and whether that begins in the model's turn; null: it is in none. */
export function codeAround(
  text: string,
  at: number,
  tags: TagNames,
): { readonly from: number; readonly fence: string; readonly isModels: boolean } | null {
  const fence = openFence(text.slice(0, at));
  if (fence === '') return null;
  const code = scanBlocks(text).find((block) => block.kind === 'fence' && block.from < at && at <= block.to);
  if (code === undefined) return null;
  const turn = turnAt(parseConversation(text, tags, []), at);
  return { from: code.from, fence, isModels: turn?.role === 'assistant' && turn.from <= code.from };
}

/** Where a turn begins of whose tag some stands before `at`: others took away what stood between. */
export function turnCutAt(text: string, at: number, tags: TagNames): number | null {
  const isCut = ({ from, role, contentFrom, to }: Turn) => {
    if (from >= at || at > contentFrom) return false;
    // More blanks behind the tag that waits leave it that.
    if (text.slice(at, contentFrom).trim() !== '') return true;
    return role !== 'assistant' && text.slice(at, to).trim() !== '';
  };
  return parseConversation(text, tags, []).turns.find(isCut)?.from ?? null;
}

/** A turn below that is indented so far that it would be code with other words above it becomes one at the start of its line. */
export function outdentBelow(text: string, at: number, tags: TagNames): Change | null {
  const blanks = /^[^\n]*\n\s*?([ \t]{1,400})#/.exec(text.slice(at, at + 400));
  const indent = blanks?.[1] ?? '';
  if (!blanks || staysBelow(text, at, 'any text')) return null;
  const to = at + blanks[0].length - 1;
  const isTurn = parseConversation(text, tags, []).turns.some((turn) => turn.from === to);
  return isTurn ? { from: to - indent.length, to, insert: '' } : null;
}

/**
 * What others put directly behind the place, a tag above all, gets a line of its own; a line that is more than words stays whole.
 * `at`: where the next words come then. `tail`: behind the last words.
 */
export function partFromBelow(
  text: string,
  at: number,
  tail: number,
): { readonly change: Change; readonly at: number } | null {
  const [line = ''] = /^[^\n]*/.exec(text.slice(at)) ?? [];
  const above = text.slice(0, at);
  const isRest = line.trim() !== '';
  const isCut = isRest && !readsOnAlike(`${above}\n\n${line}`, above + line);
  const goesOn = at === tail || readsOnAlike(`${above}\n`, `${above}words\n`);
  if (isCut || !goesOn) {
    const stop = at + line.length;
    return { change: { from: stop, insert: '\n\n' }, at: stop + 2 };
  }
  if (!isRest) return null;
  // Further in, a tag would be code there.
  const blanks = /^[ \t]*(?=#)/.exec(line)?.[0].length ?? 0;
  return { change: { from: at, to: at + blanks, insert: '\n\n' }, at };
}
