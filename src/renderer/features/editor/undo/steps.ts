import type { ChangeDesc, ChangeSet, EditorSelection, Text } from '@codemirror/state';

/** What one undo takes back. */
export interface Step {
  /** From the text after it to the text before it. */
  readonly changes: ChangeSet;
  /** The cursor once it is taken back; null: it stays where it is. */
  readonly selection: EditorSelection | null;
  /** Who wrote it, where it was not typed here. */
  readonly hand: string | null;
}

/** The last one first to go; each fits the text that is there once all after it are taken back, or brought back. */
export interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

/** What is to be done to take a step back or bring one again, and the steps as they are then. */
export interface Turn {
  readonly changes: ChangeSet;
  readonly selection: EditorSelection | null;
  readonly hand: string | null;
  readonly steps: Steps;
}

export const noSteps: Steps = { done: [], undone: [] };

/** As many as are kept; each is carried over whatever others write. */
const mostSteps = 200;

/** Something was done here: what was undone before cannot be brought back any more. */
export const withStep = ({ done }: Steps, step: Step): Steps => ({
  done: [...done, step].slice(-mostSteps),
  undone: [],
});

/** The last step goes on; `inverse` leads back from now to where it ended. */
export function withContinued({ done }: Steps, inverse: ChangeSet): Steps {
  const last = done.at(-1);
  if (!last) return noSteps;
  return { done: [...done.slice(0, -1), { ...last, changes: inverse.compose(last.changes) }], undone: [] };
}

/** Others wrote something that is no step here. */
export const carriedSteps = ({ done, undone }: Steps, changes: ChangeDesc): Steps => ({
  done: over(done, changes),
  undone: over(undone, changes),
});

/** Another hand wrote; all that it writes is one step, wherever it goes on. `before`: the text then. */
export function withHand({ done, undone }: Steps, hand: string, changes: ChangeSet, before: Text): Steps {
  const rest = over(undone, changes);
  const at = done.findLastIndex((step) => step.hand === hand);
  if (at === -1) {
    const step = { changes: changes.invert(before), selection: null, hand };
    return { done: [...done, step].slice(-mostSteps), undone: rest };
  }
  let theirs = changes;
  let text = before;
  for (const step of done.slice(at + 1).toReversed()) {
    text = step.changes.apply(text);
    theirs = theirs.map(step.changes, true);
  }
  const own = done[at] as Step;
  const joined = { ...own, changes: theirs.invert(text).compose(own.changes) };
  const left = joined.changes.empty ? [] : [joined];
  return { done: [...done.slice(0, at), ...left, ...over(done.slice(at + 1), changes)], undone: rest };
}

/** What undo does now, passing over what these hands wrote; null: nothing. */
export const nextUndo = ({ done, undone }: Steps, now: Text, still: ReadonlySet<string>) =>
  turn(done, undone, now, still, (done, undone) => ({ done, undone }));

export const nextRedo = ({ done, undone }: Steps, now: Text, still: ReadonlySet<string>) =>
  turn(undone, done, now, still, (undone, done) => ({ done, undone }));

function turn(
  from: readonly Step[],
  to: readonly Step[],
  now: Text,
  still: ReadonlySet<string>,
  join: (from: readonly Step[], to: readonly Step[]) => Steps,
): Turn | null {
  const at = from.findLastIndex(({ hand }) => hand === null || !still.has(hand));
  if (at === -1) return null;
  const { step, rest } = raised(from, at, now);
  const { changes, selection, hand } = step;
  const after = selection?.map(changes.invertedDesc, 1) ?? null;
  const back = { changes: changes.invert(now), selection: after, hand };
  return { changes, selection, hand, steps: join(rest, [...to, back]) };
}

/** The step as if it had come last, and the others as if it had not been yet. */
function raised(branch: readonly Step[], at: number, now: Text): { step: Step; rest: readonly Step[] } {
  const above = branch.slice(at + 1);
  const texts = [now];
  for (const step of above.toReversed()) texts.unshift(step.changes.apply(texts[0] as Text));
  let step = branch[at] as Step;
  let below = step.changes.apply(texts[0] as Text);
  const rest = branch.slice(0, at);
  for (const [n, upper] of above.entries()) {
    const forth = upper.changes.invert(texts[n + 1] as Text);
    const without = forth.map(step.changes, true);
    step = { ...step, changes: step.changes.map(forth), selection: step.selection?.map(without) ?? null };
    rest.push({ ...upper, changes: without.invert(below) });
    below = without.apply(below);
  }
  return { step, rest };
}

function over(branch: readonly Step[], changes: ChangeDesc): readonly Step[] {
  const result: Step[] = [];
  let theirs = changes;
  for (const step of branch.toReversed()) {
    const mapped = step.changes.map(theirs);
    theirs = theirs.mapDesc(step.changes, true);
    if (!mapped.empty) {
      result.unshift({ ...step, changes: mapped, selection: step.selection?.map(theirs) ?? null });
    }
  }
  return result;
}
