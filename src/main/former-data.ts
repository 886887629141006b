import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { Log } from '../core/foundation';
import type { SecretStore } from '../core/host';
import { largestSetting, readFileAt } from '../files';

const ours = [
  'settings.json',
  'mcp.json',
  'trust.json',
  'interlinear.db',
  'interlinear.db-wal',
  'interlinear.db-shm',
  'journals',
  'ended-sessions',
  'logs',
  'window.json',
  'secrets.json',
  'secrets.key',
  'safe-storage.json',
];

/**
 * An older version kept its data beside Chromium's, where the command line did not see it. What the data folder has
 * already stays as it is; the rest comes over.
 */
export function takeFormerData(from: string, to: string, log: Log): void {
  if (resolve(from) === resolve(to) || !existsSync(join(from, 'settings.json'))) return;
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    moveAll(from, to);
  } catch (error) {
    // What is left stays where it is; the next start tries again.
    log.warn('data of an older version could not be taken over', { from, error });
  }
}

function moveAll(from: string, to: string): void {
  const hasHistory = existsSync(join(to, 'interlinear.db'));
  for (const name of ours) {
    const [source, target] = [join(from, name), join(to, name)];
    // The database and what belongs to it come together or not at all.
    if (!existsSync(source) || existsSync(target) || (hasHistory && name.startsWith('interlinear.db')))
      continue;
    try {
      renameSync(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      cpSync(source, target, { recursive: true, preserveTimestamps: true });
      rmSync(source, { recursive: true });
    }
  }
}

const Sealed = z.object({ sealed: z.record(z.string(), z.string()) });

/** Keys that an older version sealed by Chromium move to the store that the command line reads, too. */
export async function takeFormerKeys({
  path,
  safeStorage,
  secrets,
  log,
}: {
  path: string;
  safeStorage: Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'decryptStringAsync'>;
  secrets: SecretStore;
  log: Log;
}): Promise<void> {
  if (!existsSync(path)) return;
  try {
    const text = (await readFileAt(path, largestSetting)).toString('utf8');
    const { sealed } = Sealed.parse(JSON.parse(text));
    if (!(await safeStorage.isAsyncEncryptionAvailable()))
      throw new Error('The system’s key store is closed.');
    for (const [name, text] of Object.entries(sealed)) {
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(text, 'base64'));
      const [owner, value] = JSON.parse(result) as unknown[];
      if (owner !== name || typeof value !== 'string')
        throw new Error('A stored key belongs to another name.');
      if ((await secrets.get(name)) === null) await secrets.set(name, value);
    }
    await rm(path);
  } catch (error) {
    // They stay where they are; the next start tries again.
    log.warn('keys of an older version could not be taken over', { error });
  }
}
