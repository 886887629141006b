import type { AnswerCursor } from './answer-cursor';

/** A stretch of the note that can be written anew as long as it is not final; what others type into it stays behind it. */
export interface Region {
  replace(text: string): void;
  release(): void;
}

/** The blocks of one answer. */
export interface Regions {
  open(text: string): Region;
  /** Of each block the text that was written last, also of those that are final. */
  texts(): readonly string[];
  release(): void;
}

export function createRegions(cursor: AnswerCursor): Regions {
  const open = new Set<Region>();
  const texts = new Map<Region, string>();
  return {
    open(text) {
      const stretch = cursor.openStretch(text);
      const region: Region = {
        replace(next) {
          if (!open.has(region)) return;
          stretch.replace(next);
          texts.set(region, next);
        },
        release() {
          stretch.release();
          open.delete(region);
        },
      };
      open.add(region);
      texts.set(region, text);
      return region;
    },
    texts: () => [...texts.values()],
    release() {
      for (const region of [...open]) region.release();
    },
  };
}
