import type { Hook, HookAction, HookEntry, HookEvent } from '../../../contract/hooks';
import { readArguments, Unread } from '../../base/text/typed-json';

export type HookKind = 'tool' | 'prompt' | 'agent';

/** What the form holds: everything as text, as it stands in the boxes. */
export interface HookDraft {
  name: string;
  on: HookEvent;
  every: string;
  note: string;
  tool: string;
  kind: HookKind;
  /** `server/tool`, or the name of a prompt or an agent. */
  which: string;
  /** JSON, as typed. */
  arguments: string;
  in: string;
}

export type HookFault = 'needed' | 'taken' | 'every' | 'tool' | 'json' | 'in' | 'in-schedule';
export type HookFaults = Partial<Record<keyof HookDraft, HookFault>>;

export const ofCalls = (on: HookEvent): boolean => on === 'before-tool-call' || on === 'after-tool-call';

/** What a hook does, and the name of what does it. */
export function actionOf(run: HookAction): [kind: HookKind, which: string] {
  if ('tool' in run) return ['tool', run.tool];
  return 'prompt' in run ? ['prompt', run.prompt] : ['agent', run.agent];
}

/** Under which its form keeps what is typed; without a hook: of a new one, of which the name is empty. */
export const hookDraftKey = (vault: string | null, hook: Pick<HookEntry, 'name'> | null) =>
  `hook ${vault ?? ''} ${hook?.name ?? ''}`;

export function draftOfHook(hook: HookEntry | null): HookDraft {
  const run = hook?.run ?? { tool: '' };
  const [kind, which] = actionOf(run);
  const args = 'tool' in run ? run.arguments : undefined;
  return {
    name: hook?.name ?? '',
    on: hook?.on ?? 'after-answer',
    every: hook?.every ?? '1d',
    note: hook?.note ?? '',
    tool: hook?.tool ?? '',
    kind,
    which,
    arguments: args ? JSON.stringify(args, null, 2) : '',
    in: hook?.in ?? '',
  };
}

export function faultsOf(draft: HookDraft, others: readonly string[]): HookFaults {
  const faults: HookFaults = {};
  const name = draft.name.trim();
  if (name === '') faults.name = 'needed';
  else if (others.includes(name)) faults.name = 'taken';
  if (draft.on === 'schedule' && !/^[1-9]\d{0,4}[mhd]$/.test(draft.every.trim())) faults.every = 'every';
  if (draft.which.trim() === '') faults.which = 'needed';
  else if (draft.kind === 'tool' && !/^[^/]+\/./.test(draft.which.trim())) faults.which = 'tool';
  if (draft.kind === 'tool' && argumentsOf(draft.arguments) === null) faults.arguments = 'json';
  if (draft.kind !== 'tool' && draft.in.trim() === '') {
    if (draft.on === 'schedule') faults.in = 'in-schedule';
    else if (draft.on === 'before-answer' || ofCalls(draft.on)) faults.in = 'in';
  }
  return faults;
}

/** A hook without what only the list says of it. */
export function asWritten({ agreed: _agreed, lastRun: _lastRun, ...hook }: HookEntry): Hook {
  return hook;
}

/** What the event does not know, such as the notes of a schedule, is left out. */
export function hookOf(draft: HookDraft, before: HookEntry | null): Hook {
  const which = draft.which.trim();
  const args = argumentsOf(draft.arguments) ?? {};
  const [note, tool, on] = [draft.note.trim(), draft.tool.trim(), draft.on];
  return {
    name: draft.name.trim(),
    on,
    ...(before?.enabled !== undefined && { enabled: before.enabled }),
    ...(on === 'schedule' && { every: draft.every.trim() }),
    ...(on !== 'schedule' && note !== '' && { note }),
    ...(ofCalls(on) && tool !== '' && { tool }),
    ...(draft.in.trim() !== '' && { in: draft.in.trim() }),
    run:
      draft.kind === 'tool'
        ? { tool: which, ...(Object.keys(args).length > 0 && { arguments: args }) }
        : draft.kind === 'prompt'
          ? { prompt: which }
          : { agent: which },
  };
}

type Arguments = NonNullable<Extract<Hook['run'], { tool: string }>['arguments']>;

/** Null where it is not a JSON object. */
function argumentsOf(text: string): Arguments | null {
  const parsed = readArguments(text);
  return parsed instanceof Unread ? null : (parsed as Arguments);
}
