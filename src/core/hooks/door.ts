import type { RunPicture } from '../../contract/chat';
import type { Hook, HookList, HookRun } from '../../contract/hooks';
import type { Picture } from '../foundation';

/** What a vault's `hooks.json` has run when something happens. Nobody is asked: only tools that are allowed already run. */
export interface Hooks {
  readonly list: Picture<HookList>;
  /** To be called when a note has been opened. */
  opened(path: string): void;
  /**
   * Resolves when everything has run that is to run before an answer in this note, when that takes too long, or when the
   * signal fires: that stops what runs. `onHook` is told the name of each as it begins.
   */
  answering(path: string, signal: AbortSignal, onHook: (name: string) => void): Promise<void>;
  answered(path: string, phase: RunPicture['phase']): void;
  /** As for an answer: resolves when everything has run that is to run before this call. */
  calling(
    call: { readonly by: string; readonly path: string | null; readonly tool: string },
    signal: AbortSignal,
  ): Promise<void>;
  save(hook: Hook, replaces: string | null, seen?: Hook): Promise<void>;
  setEnabled(name: string, enabled: boolean): Promise<void>;
  remove(name: string): Promise<void>;
  /** Where hooks name a server that has another name now; the answer are their names. */
  renameServer(from: string, to: string): Promise<string[]>;
  /** Throws `vault.untrusted`. A hook that fails is no failure of this. */
  run(name: string, path: string | null): Promise<HookRun>;
  close(): Promise<void>;
}
