import { create } from 'zustand';
import type { Place } from './flow';

/** What was moved together, by hand or by arranging. */
export interface Step {
  readonly before: readonly Place[];
  readonly after: readonly Place[];
  readonly arranged: boolean;
}

/** What can be taken back and done again, as long as the file is the `version` that the last move here left. */
export interface Steps {
  readonly version: string;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

export type Way = 'undo' | 'redo';

const most = 100;

/** A step more. Where somebody changed the file before it, nothing older is taken back over that. */
export function withStep(
  steps: Steps | undefined,
  step: Step,
  { onto, version }: { readonly onto: string; readonly version: string },
): Steps {
  const past = steps?.version === onto ? steps.past : [];
  return { version, past: [...past, step].slice(-most), future: [] };
}

export function nextStep(steps: Steps | undefined, way: Way): Step | undefined {
  return (way === 'undo' ? steps?.past : steps?.future)?.at(-1);
}

/** With the next step gone that way. */
export function stepped({ past, future }: Steps, way: Way, version: string): Steps {
  const isUndo = way === 'undo';
  const [from, to] = isUndo ? [past, future] : [future, past];
  const [rest, more] = [from.slice(0, -1), [...to, ...from.slice(-1)]];
  return isUndo ? { version, past: rest, future: more } : { version, past: more, future: rest };
}

interface Kept {
  readonly byPath: ReadonlyMap<string, Steps>;
  keep(path: string, steps: Steps | undefined): void;
}

/** By path: the view may be left for another and come back. */
export const useSteps = create<Kept>((set) => ({
  byPath: new Map(),
  keep: (path, steps) =>
    set(({ byPath }) => {
      const others = [...byPath].filter(([each]) => each !== path);
      return { byPath: new Map(steps ? [...others, [path, steps]] : others) };
    }),
}));
