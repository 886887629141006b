import { join } from 'node:path';
import { AppError, isAppError } from '../../contract/errors';
import { largestVaultSetting } from '../../files';
import { createObservable, createOneAtATime, type Log, type Observable, watchFile } from '../foundation';
import type { Vault } from '../vault';
import { type HookText, readHookText } from './hook-text';

const path = '.interlinear/hooks.json';
const nothing: HookText = { hooks: [], problems: [] };

/** The hooks of the vault that is open, read again whenever somebody changes them. */
export interface HookFile {
  /** Null while no vault is open. */
  readonly content: Observable<HookText | null>;
  /** Resolves once what the disk holds now has been read. */
  settled(): Promise<void>;
  /** Durable. Throws `request.invalid` where the file is malformed. */
  edit(change: (text: string) => string): Promise<void>;
  close(): void;
}

export function createHookFile({
  vault,
  log,
}: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'write'>;
  log: Log;
}): HookFile {
  const content = createObservable<HookText | null>(null);
  const inOrder = createOneAtATime();
  let stopWatching: () => void = () => undefined;
  let watched: string | null = null;
  let closed = false;
  let reading = Promise.resolve();

  async function take(): Promise<void> {
    const state = vault.state.get();
    if (closed || state.kind !== 'open') {
      content.set(null);
      return;
    }
    let text = nothing;
    try {
      text = readHookText((await readText(vault)).text);
    } catch (error) {
      log.warn('hooks not read', { error });
      const message = error instanceof Error ? error.message : String(error);
      text = { hooks: [], problems: [{ message, line: 1 }] };
    }
    if (!closed) content.set(text);
  }

  function load(): void {
    reading = inOrder(path, take).catch((error: unknown) => log.warn('hooks not read', { error }));
  }

  function review(): void {
    const state = vault.state.get();
    const root = state.kind === 'open' ? state.path : null;
    if (root !== watched) {
      stopWatching();
      watched = root;
      stopWatching = root === null ? () => undefined : watchFile(join(root, ...path.split('/')), load);
    }
    load();
  }

  const stopState = vault.state.onChange(review);
  review();

  return {
    content,
    settled: () => reading,
    edit: (change) =>
      inOrder(path, async () => {
        const { text, version } = await readText(vault);
        const [problem] = unreadable(text);
        if (problem !== undefined) {
          throw new AppError('request.invalid', `${path} can’t be changed before it is mended. ${problem}`, {
            issues: [problem],
          });
        }
        const changed = change(text);
        if (changed !== text) await vault.write(path, changed, version);
        await take();
      }),
    close() {
      closed = true;
      stopState();
      stopWatching();
    },
  };
}

/** Empty where there is no such file. */
async function readText(vault: Pick<Vault, 'read'>): Promise<{ text: string; version: string | null }> {
  try {
    const { text, version } = await vault.read(path);
    if (text.length > largestVaultSetting) {
      const details = { path, bytes: text.length, limit: largestVaultSetting };
      throw new AppError('vault.too-large', `“${path}” is too large to be read as a list of hooks.`, details);
    }
    return { text: text.replace(/^\uFEFF/, ''), version };
  } catch (error) {
    if (isAppError(error, 'vault.not-found')) return { text: '', version: null };
    throw error;
  }
}

/** Why the text as a whole cannot be read; single hooks may be wrong and stay as they are. */
function unreadable(text: string): string[] {
  const { hooks, problems } = readHookText(text);
  const whole =
    hooks.length === 0 && problems.length === 1 && /^(The file|An object)/.test(problems[0]?.message ?? '');
  return whole ? problems.map(({ message, line }) => `Line ${line}: ${message}`) : [];
}
