import { type Above, type Fence, scanLines } from '../scan';

/** Whether a rule below this text would make front matter of it. */
export function opensFrontMatter(text: string): boolean {
  return scanLines(text, null).above.opensFrontMatter;
}

/** What closes the code fence that a text leaves open, on a line of its own; empty where it leaves none. */
export function openFence(text: string): string {
  return openFenceBelow(text, null);
}

/** The same of what stands below `above`. */
export function openFenceBelow(text: string, above: Above | null): string {
  const { open } = scanLines(text, above).above;
  return open?.kind === 'fence' ? closingOf(open) : '';
}

const closingOf = ({ indent, mark }: Pick<Fence, 'indent' | 'mark'>) => ' '.repeat(indent) + mark;

/** Whether what comes behind these texts is read alike: in the same code, quote and items of lists. */
export function readsOnAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => {
    const { list, open, opensFrontMatter } = scanLines(text, null).above;
    return JSON.stringify([list, open, opensFrontMatter]);
  });
  return a === b;
}
