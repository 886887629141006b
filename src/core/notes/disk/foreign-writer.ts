import type { Clock } from '../../foundation';
import type { Base } from '../text/base';

/** What another program has left in the file so far. */
export interface Look {
  /** It looks like the beginning of something. */
  readonly isCut: boolean;
  readonly version: string;
  readonly file: string | null;
  /** When it was written last, by the clock of its disk; milliseconds. */
  readonly modified: number;
}

/**
 * Tells whether a file that another program changed holds what that program meant, or only its beginning: many empty a file
 * and write it then, some in pieces.
 */
export interface ForeignWriter {
  /** Milliseconds until the file is to be looked at again; 0: it rests. `expected` is the file that it was before. */
  untilRest(look: Look, expected: Base['file']): Promise<number>;
  /** Whether a program that changed the file in place a while ago may still be in it, and would lose what it writes next. */
  mayGoOn(): Promise<boolean>;
  /** What was looked at was taken. */
  taken(): void;
}

/** How long a file is left alone after its last change. */
const quietMs = 20;
/** Where a system does not tell who has it open. */
const quietUnknownMs = 300;
/** Where it looks like the beginning of something. */
const quietCutMs = 2_000;
/** A writer that paused may pause so much longer, within limits. */
const pauseFactor = 3;
const mostQuietMs = 1_000;
const mostQuietCutMs = 10_000;
/** A program that has it open and does nothing. */
const silentMs = 30_000;
const silentCutMs = 120_000;
/** How soon a file that somebody has open is looked at again. */
export const openMs = 500;

export function createForeignWriter(clock: Clock, isOpen: () => Promise<boolean | null>): ForeignWriter {
  let current: { version: string; since: number; modified: number; longestPause: number } | null = null;
  let lastInPlace = Number.NEGATIVE_INFINITY;

  /** Milliseconds since the file changed last, as far as was seen. */
  function stillFor({ version, modified }: Look): { still: number; longestPause: number } {
    const now = clock.now();
    const before = current;
    if (before?.version === version) return { still: now - before.since, longestPause: before.longestPause };
    const longestPause = before ? Math.max(before.longestPause, modified - before.modified) : 0;
    current = { version, since: now, modified, longestPause };
    return { still: 0, longestPause };
  }

  return {
    async untilRest(look, expected) {
      const { still, longestPause } = stillFor(look);
      const { isCut } = look;
      const isInPlace = look.file === null || look.file === expected || expected === null;
      if (isInPlace) lastInPlace = clock.now();
      const [least, most] = isCut ? [quietCutMs, mostQuietCutMs] : [quietMs, mostQuietMs];
      const quiet = Math.min(Math.max(least, pauseFactor * longestPause), most);
      if (still < quiet) return quiet - still;
      if (!isInPlace && !isCut && longestPause === 0) return 0;
      const open = await isOpen();
      if (open === null) return Math.max(0, quietUnknownMs - still);
      if (!open || still >= (isCut ? silentCutMs : silentMs)) return 0;
      return openMs;
    },
    async mayGoOn() {
      return clock.now() - lastInPlace < silentMs && (await isOpen()) === true;
    },
    taken() {
      current = null;
    },
  };
}

/** Empty, the beginning of what it held, or a place that was reserved and is filled later. */
export function looksCut(text: string, expected: string): boolean {
  if (text.includes('\0') && !expected.includes('\0')) return true;
  return text.length < expected.length && expected.startsWith(text);
}
