import { pathOf, type Tab } from '../layout/layout-state';

export interface Text {
  readonly text: string;
  readonly caret: number;
}

/** A note that is asked for: by its path, or by the request itself as long as the note is still being made. */
export interface NoteRequest {
  readonly path: string | null;
  /** The request that this one goes on with; each step that brings the note nearer is another one. */
  readonly origin?: object;
}

/** What was typed for one note. */
export interface Typed {
  /** The first request for the note. */
  readonly request: object;
  path: string | null;
  /** Before what stands in the field: text, and keys of the editor. */
  readonly steps: (Text | KeyboardEvent)[];
  last: Text;
}

export const noText: Text = { text: '', caret: 0 };

export type WaitingTexts = ReturnType<typeof createWaitingTexts>;

/** What was typed for notes whose editors are not there yet, in the order in which the notes were asked for. */
export function createWaitingTexts() {
  let waiting: readonly Typed[] = [];
  /** Of the note asked for last, until it is there or nobody waits for it. */
  let current: Typed | null = null;

  const take = (isTaken: (typed: Typed) => boolean): Typed[] => {
    const removed = waiting.filter(isTaken);
    waiting = waiting.filter((typed) => !removed.includes(typed));
    return removed;
  };

  return {
    current: () => current,
    /** Nobody waits for the note asked for last; what was typed for it stays. */
    endCurrent(): void {
      current = null;
    },
    /** What is typed from here on is for this note; true: it was asked for before. */
    begin(next: NoteRequest): boolean {
      const request = next.origin ?? next;
      const { path } = next;
      const before = waiting.find(
        (typed) => typed.request === request || (path !== null && typed.path === path),
      );
      const typed = before ?? { request, path, steps: [], last: noText };
      typed.path = path;
      current = typed;
      waiting = [...waiting.filter((one) => one !== typed), typed];
      return before !== undefined;
    },
    /** What was typed for the note that is looked at, or that is being made. */
    shownAt(path: string | null): Typed | null {
      const isShown = (typed: Typed) => (typed.path === null ? typed === current : typed.path === path);
      return waiting.find(isShown) ?? null;
    },
    /** What the editor that is there gets; into one that cannot be written in nothing is put. */
    takeArrived(editor: { readonly path: string; readonly readOnly: boolean }): Typed[] {
      return take(
        (typed) =>
          typed !== current &&
          typed.path === editor.path &&
          (!editor.readOnly || textOf(stepsOf(typed)) === ''),
      );
    },
    takeOf(request: object): Typed | undefined {
      const typed = waiting.find((one) => one.request === request);
      take((one) => one === typed);
      return typed;
    },
    takeAll: (): Typed[] => take(() => true),
    /** Those whose notes were closed; a note that is moved keeps its tab. */
    takeClosed(tabs: readonly Tab[], before: readonly Tab[]): Typed[] {
      for (const typed of waiting) typed.path = pathNow(typed.path, tabs, before);
      const isClosed = ({ path }: Typed) => path !== null && !tabs.some((tab) => pathOf(tab) === path);
      if (current && isClosed(current)) current = null;
      return take(isClosed);
    },
    dropEmpty(): void {
      take((typed) => typed !== current && stepsOf(typed).length === 0);
    },
    hasText: () => waiting.some((typed) => textOf(stepsOf(typed)) !== ''),
  };
}

export const stepsOf = ({ steps, last }: Typed) => (last.text === '' ? steps : [...steps, last]);

export const textOf = (steps: readonly (Text | KeyboardEvent)[]) =>
  steps.map((step) => ('text' in step ? step.text : '')).join('');

function pathNow(path: string | null, tabs: readonly Tab[], before: readonly Tab[]): string | null {
  const id = path === null ? undefined : before.find((tab) => pathOf(tab) === path)?.id;
  const tab = id === undefined ? undefined : tabs.find((one) => one.id === id);
  return tab ? pathOf(tab) : path;
}
