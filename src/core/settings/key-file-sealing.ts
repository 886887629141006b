import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readFileAt } from '../../files';
import { type FileTrouble, reasonOf, setAside, stateOf } from '../foundation';
import type { Sealing } from './file-secrets';

const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/**
 * AES-256-GCM with a key in a file that only its owner may read. A value is bound to its name. A damaged key is set aside, and
 * said: what it sealed cannot be read any more, and what is stored from then on has a new one.
 */
export function createKeyFileSealing(keyPath: string, onTrouble: (trouble: FileTrouble) => void): Sealing {
  let key: Promise<Buffer> | undefined;

  async function loadKey(): Promise<Buffer> {
    await mkdir(dirname(keyPath), { recursive: true });
    // Whoever comes second, also another process, reads the key of the first.
    await writeFile(keyPath, randomBytes(keyBytes), { mode: 0o600, flag: 'wx', flush: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    const bytes = await readFileAt(keyPath, 1024);
    if (bytes.length !== keyBytes) throw new Error(`It has ${bytes.length} bytes and not ${keyBytes}.`);
    return bytes;
  }

  let isTold = false;
  async function soundKey(): Promise<Buffer> {
    try {
      return await loadKey();
    } catch (error) {
      const state = stateOf(error);
      const keptAs = state === 'damaged' ? setAside(keyPath) : null;
      if (!isTold) onTrouble({ file: keyPath, state, reason: reasonOf(error), keptAs, lost: [] });
      isTold = keptAs === null;
      if (keptAs === null) throw error;
      return loadKey();
    }
  }

  const keyOnce = () => {
    key ??= soundKey().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };

  return {
    async seal(name, value) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', await keyOnce(), iv).setAAD(Buffer.from(name));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    async open(name, sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', await keyOnce(), bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        return (
          decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch (cause) {
        throw new Error(
          `what was stored as “${name}” is damaged, or was stored with another key. Store it again.`,
          {
            cause,
          },
        );
      }
    },
  };
}
