import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readFileAt } from '../../files';
import type { Sealing } from './file-secrets';

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a key in a file that only its owner may read. A value is bound to its name. */
export function createKeyFileSealing(keyPath: string): Sealing {
  let key: Promise<Buffer> | undefined;

  async function loadKey(): Promise<Buffer> {
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
