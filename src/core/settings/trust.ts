import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** Which folders a person trusts. */
export interface Trust {
  isTrusted(vaultPath: string): boolean;
  setTrusted(vaultPath: string, trusted: boolean): void;
}

const TrustFile = z.object({ version: z.literal(1), folders: z.array(z.string()) });

/** Kept in the app's data folder: a vault cannot say of itself that it is trusted. A damaged file means no trust. */
export function createTrust(path: string, onDamaged: (reason: string) => void): Trust {
  const folders = new Set(load(path, onDamaged));
  return {
    isTrusted: (vaultPath) => folders.has(real(vaultPath)),
    setTrusted(vaultPath, trusted) {
      if (trusted) folders.add(real(vaultPath));
      else folders.delete(real(vaultPath));
      writeWhole(path, `${JSON.stringify({ version: 1, folders: [...folders] }, null, 2)}\n`);
    },
  };
}

function load(path: string, onDamaged: (reason: string) => void): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onDamaged(String(error));
    return [];
  }
  try {
    return TrustFile.parse(JSON.parse(text)).folders;
  } catch (error) {
    renameSync(path, `${path}.damaged-${Date.now()}`);
    onDamaged(String(error));
    return [];
  }
}

/** Another way to the same folder, such as a link, is the same folder. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
