import { create } from 'zustand';
import type { CallOutcome, ToolEntry } from '../../../contract/tools';
import type { Arguments, Unread } from '../../base/text/typed-json';

/** How far a call that is tried by hand has come. */
export type Trial =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly stop: AbortController }
  | { readonly kind: 'answered'; readonly args: Arguments; readonly outcome: CallOutcome }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Kept {
  /** As typed: fields of it may be `Unread`. */
  readonly args: Arguments | Unread;
  readonly trial: Trial;
}

interface Trials {
  readonly byTool: ReadonlyMap<string, Kept>;
  change(tool: ToolEntry, changes: Partial<Kept>): void;
}

const keyOf = ({ serverId, name }: ToolEntry) => `${serverId}/${name}`;
const nothing: Kept = { args: {}, trial: { kind: 'idle' } };

/** What each tool was last tried with and what came of it, for as long as the app is open: a dialog is soon closed. */
const useTrials = create<Trials>((set) => ({
  byTool: new Map(),
  change: (tool, changes) =>
    set(({ byTool }) => ({
      byTool: new Map(byTool).set(keyOf(tool), { ...nothing, ...byTool.get(keyOf(tool)), ...changes }),
    })),
}));

export function useTrial(tool: ToolEntry): Kept & { change(changes: Partial<Kept>): void } {
  const last = useTrials((trials) => trials.byTool.get(keyOf(tool))) ?? nothing;
  const change = useTrials((trials) => trials.change);
  return { ...last, change: (changes) => change(tool, changes) };
}

export const beginTrial = (tool: ToolEntry, args: Arguments) =>
  useTrials.getState().change(tool, { args, trial: { kind: 'idle' } });

export const isTried = (tool: ToolEntry): boolean => useTrials.getState().byTool.has(keyOf(tool));
