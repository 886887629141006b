import picomatch from 'picomatch';
import type { Hook, HookEvent } from '../../contract/hooks';

/** Something that hooks may wait for. */
export interface Happening {
  readonly event: HookEvent;
  readonly path: string | null;
  /** `server/tool`. */
  readonly tool?: string;
}

/** What else decides whether a hook runs; each is asked only where it matters. */
export interface HookSituation {
  isAgreed(): boolean;
  /** On the note that it would work on now. */
  isRunning(): boolean;
  /** A hook writes into the note, or did so a moment ago. */
  isWrittenByHook(path: string): boolean;
  /** Milliseconds since its last run, or since it was first seen. */
  waited(): number;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function isCalled(hook: Hook, { event, path, tool }: Happening, situation: HookSituation): boolean {
  // What nobody agreed to is not even matched: that may cost anything.
  if (hook.on !== event || hook.enabled === false || !situation.isAgreed()) return false;
  if (event === 'schedule') return !situation.isRunning() && situation.waited() >= interval(hook);
  if (event === 'saved' && (situation.isRunning() || (path !== null && situation.isWrittenByHook(path))))
    return false;
  if (hook.note !== undefined && (path === null || !picomatch.isMatch(path, hook.note))) return false;
  return hook.tool === undefined || (tool !== undefined && picomatch.isMatch(tool, hook.tool));
}

function interval({ every }: Hook): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(every ?? '') ?? [];
  return Number(count) * units[unit as keyof typeof units];
}
