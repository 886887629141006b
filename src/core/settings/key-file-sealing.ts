import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readFileAt } from '../../files';
import { type FileTrouble, reasonOf, setAside, stateOf } from '../foundation';
import type { Sealing } from './file-secrets';

const ivBytes = 12;
const tagBytes = 16;
const settleMs = 200;

/** AES-256-GCM with a key in a file that only its owner may read. A value is bound to its name. */
export function createKeyFileSealing(keyPath: string): Sealing {
  let listener: (trouble: FileTrouble) => void = () => undefined;
  let key: Promise<Buffer> | undefined;

  /** A damaged key opens nothing: it is set aside, said, and a new one is made for what is kept from now on. */
  async function loadKey(): Promise<Buffer> {
    try {
      return await readOrMake().catch(async () => {
        // Another process may be writing it at this moment.
        await setTimeout(settleMs);
        return readOrMake();
      });
    } catch (error) {
      const keptAs = stateOf(error) === 'damaged' ? setAside(keyPath) : null;
      if (keptAs === null) throw error;
      listener({ file: keyPath, state: 'damaged', reason: reasonOf(error), keptAs, lost: [] });
      return readOrMake();
    }
  }

  async function readOrMake(): Promise<Buffer> {
    await mkdir(dirname(keyPath), { recursive: true });
    // Whoever comes second, also another process, reads the key of the first.
    await writeFile(keyPath, randomBytes(32), { mode: 0o600, flag: 'wx', flush: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    const bytes = await readFileAt(keyPath, 1024);
    if (bytes.length !== 32) throw new Error(`The key file “${keyPath}” is damaged.`);
    return bytes;
  }

  const keyOnce = () => {
    key ??= loadKey().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };

  return {
    onTrouble(next) {
      listener = next;
    },
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
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
