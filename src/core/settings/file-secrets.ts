import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/errors';
import {
  createJsonFile,
  createOneAtATime,
  type FileTrouble,
  type Log,
  reasonOf,
  stateOf,
} from '../foundation';
import type { SecretStore } from '../host';

/** Makes a value unreadable, and readable again. */
export interface Sealing {
  seal(name: string, value: string): Promise<string>;
  open(name: string, sealed: string): Promise<string>;
}

const SecretsFile = z.object({
  version: z.literal(1).default(1),
  sealed: z.record(z.string(), z.string()).default({}),
});

/** Sealed values in one file, which is read again for every use: another process may have changed it. */
export function createFileSecrets({
  path,
  kind,
  sealing,
  log,
}: {
  path: string;
  kind: SecretStore['kind'];
  sealing: Sealing;
  log: Log;
}): SecretStore {
  const inOrder = createOneAtATime();
  let listener: (trouble: FileTrouble) => void = () => undefined;
  const file = createJsonFile(path, SecretsFile, (keptAs, reason) => {
    log.warn('stored keys were damaged', { keptAs, reason });
    listener({ file: path, state: 'damaged', reason, keptAs, lost: [] });
  });

  const change = (edit: (sealed: Record<string, string>) => Promise<void>) =>
    inOrder(path, async () => {
      try {
        await mkdir(dirname(path), { recursive: true });
        const contents = await file.read();
        await edit(contents.sealed);
        await file.write(contents);
      } catch (error) {
        throw unavailable(error);
      }
    });

  return {
    kind,
    onTrouble(next) {
      listener = next;
    },
    async get(name) {
      const { sealed } = await file.read().catch((error: unknown) => {
        const reason = reasonOf(error);
        listener({ file: path, state: stateOf(error), reason, keptAs: null, lost: [] });
        throw unavailable(error);
      });
      const value = Object.hasOwn(sealed, name) ? sealed[name] : undefined;
      if (value === undefined) return null;
      try {
        return await sealing.open(name, value);
      } catch (error) {
        throw unavailable(error);
      }
    },
    set: (name, value) =>
      change(async (sealed) => {
        sealed[name] = await sealing.seal(name, value);
      }),
    delete: (name) =>
      change(async (sealed) => {
        delete sealed[name];
      }),
  };
}

function unavailable(cause: unknown): AppError<'secrets.unavailable'> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AppError(
    'secrets.unavailable',
    `The stored keys cannot be used: ${reason}`,
    { reason },
    { cause },
  );
}
