import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeNewSync } from '../../files';
import { readText, removeFile } from './key-files';

/** Codes that let one browser in, once, each a file by the code's hash. */
export interface Invitations {
  /** A code that is good for so many milliseconds. */
  create(lifetime: number): string;
  /** Uses it up; whether it was good. */
  redeem(code: string): boolean;
  removeExpired(): void;
  /** Into a folder that was made anew. */
  putBack(): void;
}

export function createInvitations(folder: string, now: () => number): Invitations {
  /** By the names of their files: until when. */
  const created = new Map<string, number>();
  const redeemed = new Set<string>();

  const pathOf = (name: string) => join(folder, name);
  const expiryOf = (name: string) => Number(readText(pathOf(name)) ?? 0);

  return {
    create(lifetime) {
      const code = randomBytes(18).toString('base64url');
      const [name, until] = [nameOf(code), now() + lifetime];
      writeNewSync(pathOf(name), String(until));
      created.set(name, until);
      return code;
    },
    redeem(code) {
      const name = nameOf(code);
      const isInTime = expiryOf(name) >= now();
      if (!removeFile(pathOf(name)) || redeemed.has(name)) return false;
      created.delete(name);
      redeemed.add(name);
      return isInTime;
    },
    removeExpired() {
      for (const name of readdirSync(folder)) if (expiryOf(name) < now()) removeFile(pathOf(name));
    },
    putBack() {
      for (const name of redeemed) removeFile(pathOf(name));
      for (const [name, until] of created)
        if (until >= now() && !existsSync(pathOf(name))) writeNewSync(pathOf(name), String(until));
    },
  };
}

const nameOf = (code: string) => createHash('sha256').update(code).digest('hex');
