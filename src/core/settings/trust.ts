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

/** Something of a folder that can run, as a person was or is asked for it. */
export interface BroughtThing {
  readonly kind: 'server' | 'hook' | 'agent';
  readonly name: string;
  /** For a person to read, secrets hidden; empty where it can run nothing by itself. */
  readonly lines: readonly string[];
  /** Other as soon as anything is other that decides what it runs. */
  readonly fingerprint: string;
}

/** What was agreed to in one folder: the things as they were shown, not whatever stands there later. */
export interface Pins {
  isAgreed(thing: BroughtThing): boolean;
  /** What was last agreed to under this name; null: nothing yet. */
  agreedLines(thing: Pick<BroughtThing, 'kind' | 'name'>): readonly string[] | null;
  /** In place of what was agreed to under the same names. */
  agree(things: readonly BroughtThing[]): void;
}

/** Which folders a person trusts, and with what in them. */
export interface Trust {
  isTrusted(vaultPath: string): boolean;
  setTrusted(vaultPath: string, trusted: boolean): void;
  /** Null where the folder is not trusted. */
  pinsOf(vaultPath: string): Pins | null;
}

const Thing = z.object({
  kind: z.enum(['server', 'hook', 'agent']),
  name: z.string(),
  lines: z.array(z.string()),
  fingerprint: z.string(),
});
const TrustFile = z.union([
  z.object({
    version: z.literal(2),
    folders: z.array(z.object({ path: z.string(), agreed: z.array(Thing) })),
  }),
  /** Of a time when a folder was trusted whatever was in it: what is in it is asked for once more. */
  z
    .object({ version: z.literal(1), folders: z.array(z.string()) })
    .transform(({ folders }) => ({ folders: folders.map((path) => ({ path, agreed: [] })) })),
]);

/** Kept in the app's data folder: a vault cannot say of itself that it is trusted. A damaged file means no trust. */
export function createTrust(path: string, onDamaged: (reason: string) => void): Trust {
  const folders = new Map<string, readonly BroughtThing[]>(
    load(path, onDamaged).map(({ path: folder, agreed }) => [folder, agreed]),
  );
  const save = () => {
    const list = [...folders].map(([folder, agreed]) => ({ path: folder, agreed }));
    writeWhole(path, `${JSON.stringify({ version: 2, folders: list }, null, 2)}\n`);
  };
  const keyOf = ({ kind, name }: Pick<BroughtThing, 'kind' | 'name'>) => `${kind} ${name}`;

  return {
    isTrusted: (vaultPath) => folders.has(real(vaultPath)),
    setTrusted(vaultPath, trusted) {
      const folder = real(vaultPath);
      if (trusted) folders.set(folder, folders.get(folder) ?? []);
      else folders.delete(folder);
      save();
    },
    pinsOf(vaultPath) {
      const folder = real(vaultPath);
      if (!folders.has(folder)) return null;
      const agreed = () => folders.get(folder) ?? [];
      return {
        isAgreed: ({ fingerprint }) => agreed().some((thing) => thing.fingerprint === fingerprint),
        agreedLines: (thing) => agreed().find((one) => keyOf(one) === keyOf(thing))?.lines ?? null,
        agree(things) {
          // Trust that was taken back meanwhile stays taken back.
          if (!folders.has(folder)) return;
          const names = new Set(things.map(keyOf));
          const plain = things.map(({ kind, name, lines, fingerprint }) => ({
            kind,
            name,
            lines,
            fingerprint,
          }));
          folders.set(folder, [...agreed().filter((one) => !names.has(keyOf(one))), ...plain]);
          save();
        },
      };
    },
  };
}

function load(path: string, onDamaged: (reason: string) => void) {
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
