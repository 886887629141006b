import { createContext, Script } from 'node:vm';

/**
 * Runs work of unknown length in this thread and breaks it off after `ms`, also out of an endless loop: null then. Only for
 * work that keeps nothing half done behind it.
 */
export function interruptedAfter<T>(ms: number, work: () => T): { readonly value: T } | null {
  room.work = work;
  try {
    return { value: call.runInContext(context, { timeout: ms }) as T };
  } catch (error) {
    // It is an error of the other context's own kind.
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    room.work = null;
  }
}

const room: { work: (() => unknown) | null } = { work: null };
const context = createContext(room);
const call = new Script('work()');
