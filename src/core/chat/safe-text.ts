import type { TagNames } from '../../markdown';

/** A model's text on its way into a note, piece by piece. */
export interface SafeText {
  /** What may be written now; the rest waits until it is clear what it becomes. */
  push(delta: string): string;
  /** The rest, with the end of a code fence that was left open. */
  end(): string;
}

interface Fence {
  readonly sign: string;
  readonly length: number;
}

const longestTag = 200;
const markers = String.raw`^\s*(?:(?:#{1,6}|[-*+]|\d+[.)]|>)\s+|>)*`;
const onlyMarkers = new RegExp(`${markers}$`);
const ourCallout = new RegExp(`(${markers})\\[!(?=(?:tool|thinking|failure)\\b)`, 'i');
const mayBecomeCallout = new RegExp(`${markers}(?:\\[(?:!\\w*)?)?$`);
const tagSign = /(^|\s)#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_\-/]+)/gu;
const mayBecomeTag = /(?:^|\s)(#[^\s#]*[ \t]*)$/u;

/**
 * Keeps an answer one turn: where the model writes what would open a turn or pass for a callout of ours, the sign gets
 * a backslash, which reads the same in markdown. Inside code nothing is touched.
 */
export function createSafeText(tags: TagNames): SafeText {
  const opens = new Set([...tags.user, ...tags.system, ...tags.assistant].map((tag) => tag.toLowerCase()));
  const separates = new Set(tags.newChat.map((tag) => tag.toLowerCase()));
  let fence: Fence | null = null;
  let line = '';
  let written = 0;

  const isOneOf = (names: ReadonlySet<string>, tag: string) =>
    names.has(tag.toLowerCase()) || names.has((tag.split('/')[0] ?? '').toLowerCase());

  function escaped(text: string): string {
    if (fence || fenceAt(text)) return text;
    return text
      .replace(ourCallout, '$1\\[!')
      .replace(tagSign, (whole, before: string, tag: string, offset: number) => {
        const begins = onlyMarkers.test(text.slice(0, offset + before.length));
        const followed = /^[ \t]*[:：]/.test(text.slice(offset + whole.length));
        const risky = isOneOf(separates, tag) || (isOneOf(opens, tag) && (begins || followed));
        return risky ? `${before}\\#${tag}` : whole;
      });
  }

  /** How much of the unfinished line can no longer change its meaning. */
  function settled(): number {
    if (fence) return line.length;
    if (line.length < longestTag && mayBecomeCallout.test(line)) return 0;
    const tag = mayBecomeTag.exec(line)?.[1];
    return tag !== undefined && tag.length < longestTag ? line.length - tag.length : line.length;
  }

  function take(raw: number): string {
    const text = escaped(line.slice(0, raw));
    const fresh = text.slice(written);
    written = Math.max(written, text.length);
    return fresh;
  }

  return {
    push(delta) {
      let out = '';
      const pieces = delta.split('\n');
      for (const [index, piece] of pieces.entries()) {
        line += piece;
        if (index === pieces.length - 1) break;
        out += `${take(line.length)}\n`;
        fence = fenceAfter(fence, line);
        line = '';
        written = 0;
      }
      return out + take(settled());
    },
    end() {
      const rest = take(line.length);
      const open = fenceAfter(fence, line);
      fence = null;
      line = '';
      written = 0;
      return open ? `${rest}\n${open.sign.repeat(open.length)}` : rest;
    },
  };
}

/** What closes the code fence that a text leaves open; empty where it leaves none. */
export function closingFence(text: string): string {
  let fence: Fence | null = null;
  for (const line of text.split('\n')) fence = fenceAfter(fence, line);
  return fence ? fence.sign.repeat(fence.length) : '';
}

function fenceAfter(fence: Fence | null, line: string): Fence | null {
  const found = fenceAt(line);
  if (!fence) return found;
  const closes = found && found.sign === fence.sign && found.length >= fence.length && found.bare;
  return closes ? null : fence;
}

function fenceAt(line: string): (Fence & { bare: boolean }) | null {
  const match = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
  const run = match?.[1];
  if (!match || !run) return null;
  const info = match[2] ?? '';
  if (run.startsWith('`') && info.includes('`')) return null;
  return { sign: run[0] ?? '`', length: run.length, bare: info.trim() === '' };
}
