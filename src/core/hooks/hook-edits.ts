import { AppError } from '../../contract/errors';
import type { Hook } from '../../contract/hooks';
import { throwUnlessSeen } from '../foundation';
import type { Pins } from '../trust';
import { hookContribution } from './contributions';
import type { HookFile } from './hook-file';
import { faultOf, withHook, withoutHook, withServer } from './hook-text';

export interface HookEdits {
  save(hook: Hook, replaces: string | null, seen?: Hook): Promise<void>;
  /** Throws `settings.changed` where the hook that would be switched on is not as it was `seen`. */
  setEnabled(seen: Hook, enabled: boolean): Promise<void>;
  remove(name: string): Promise<void>;
  /** Where hooks name a server that has another name now; the answer are their names. */
  renameServer(from: string, to: string): Promise<string[]>;
}

/** What a person changes of the hooks, and with that agrees to. */
export function createHookEdits({
  file,
  pins,
  isTrusted,
}: {
  readonly file: HookFile;
  readonly pins: () => Pins;
  readonly isTrusted: () => boolean;
}): HookEdits {
  const present = () => file.content.get()?.hooks ?? [];
  const isAgreed = (hook: Hook) => pins().isAgreed(hookContribution(hook));

  return {
    save(hook, replaces, seen) {
      const isTaken = present().some(({ name }) => name === hook.name && name !== replaces);
      const fault = isTaken ? `There is a hook “${hook.name}” already.` : faultOf(hook);
      if (fault) throw new AppError('request.invalid', fault, { issues: [fault] });
      const before = present().find(({ name }) => name === replaces);
      throwUnlessSeen(seen, before);
      // What a person writes here they agree to; not what somebody else has slipped into the same hook.
      if (!before || isAgreed(before)) pins().agree([hookContribution(hook)]);
      return file.edit((text) => withHook(text, hook, replaces));
    },
    setEnabled: (seen, enabled) =>
      file.edit((text) => {
        const hook = present().find(({ name }) => name === seen.name);
        if (!hook) return text;
        if (enabled) throwUnlessSeen(seen, hook);
        const thing = hookContribution(hook);
        // One that was off when the folder was trusted was not asked for.
        if (enabled && isTrusted() && pins().agreedLines(thing) === null) pins().agree([thing]);
        return withHook(text, { ...hook, enabled }, hook.name);
      }),
    remove: (name) => file.edit((text) => withoutHook(text, name)),
    async renameServer(from, to) {
      const changed: string[] = [];
      for (const hook of present()) {
        const renamed = withServer(hook, from, to);
        if (renamed === hook) continue;
        if (isAgreed(hook)) pins().agree([hookContribution(renamed)]);
        await file.edit((text) => withHook(text, renamed, hook.name));
        changed.push(hook.name);
      }
      return changed;
    },
  };
}
