import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/errors';
import type { KeyAsked } from '../../contract/vault';
import { folderId, largestSetting, readFileAtSync, replaceFileSync } from '../../files';
import { type FileTrouble, NewerFile, reasonOf, setAside, stateOf } from '../foundation';

/** Something of a folder that can run, as a person was or is asked for it. */
export interface Contribution {
  readonly kind: 'server' | 'hook' | 'agent';
  readonly name: string;
  /** For a person to read, secrets hidden; empty where it can run nothing by itself. */
  readonly lines: readonly string[];
  readonly keys?: readonly KeyAsked[];
  /** Other as soon as anything is other that decides what it runs. */
  readonly fingerprint: string;
}

/** What was agreed to in one folder: the things as they were shown, not whatever stands there later. */
export interface Pins {
  isAgreed(thing: Contribution): boolean;
  /** What was last agreed to under this name; null: nothing yet. */
  agreedLines(thing: Pick<Contribution, 'kind' | 'name'>): readonly string[] | null;
  /** In place of what was agreed to under the same names. */
  agree(things: readonly Contribution[]): void;
  /**
   * The person writes it in the app just now, of one that was agreed to or written so, or anew (null): agreed to as soon as somebody
   * asks for what then stands in the folder.
   */
  write(thing: Contribution, before: Contribution | null): void;
}

/** Which folders a person trusts, and with what in them. */
export interface Trust {
  isTrusted(vaultPath: string): boolean;
  /** Another folder at this path was trusted once, or nobody kept which one it was. */
  wasTrusted(vaultPath: string): boolean;
  setTrusted(vaultPath: string, trusted: boolean): void;
  /** Null where the folder is not trusted. */
  pinsOf(vaultPath: string): Pins | null;
  /** The same whether or not it is trusted: what a person made there by the app they agreed to. */
  madeIn(vaultPath: string): Pins;
}

const Thing = z.object({
  kind: z.enum(['server', 'hook', 'agent']),
  name: z.string(),
  lines: z.array(z.string()),
  fingerprint: z.string(),
});
const Folder = z.object({
  path: z.string(),
  /** Which folder it was: one that takes its path is another. Left out before version 3: it is asked for once more. */
  id: z.string().optional(),
  /** False: only what the person made there is agreed to. */
  trusted: z.boolean().default(true),
  agreed: z.array(z.unknown()),
});
const TrustFile = z.object({ version: z.number(), folders: z.array(z.unknown()) });
const knownVersion = 4;
const mostDrafts = 1_000;

/** Kept in the app's data folder: a vault cannot say of itself that it is trusted. What can't be read is not trusted. One list of operations on one file. */
export function createTrust(path: string, onTrouble: (trouble: FileTrouble) => void): Trust {
  const loaded = load(path, onTrouble);
  const folders = new Map(loaded.folders.flatMap((folder) => (folder.id ? [[folder.id, folder]] : [])));
  let former = loaded.folders.filter(({ id }) => id === undefined);
  const save = () => {
    if (!loaded.mayReplace)
      throw new AppError('vault.read-only', `“${path}” can’t be read, so it is not replaced.`, { path });
    const list = [...former, ...folders.values()];
    mkdirSync(dirname(path), { recursive: true });
    replaceFileSync(path, `${JSON.stringify({ version: knownVersion, folders: list }, null, 2)}\n`);
  };
  /** By folder, what the person wrote since, the newest last. */
  const drafts = new Map<string, Map<string, Contribution>>();
  const keyOf = ({ kind, name }: Pick<Contribution, 'kind' | 'name'>) => `${kind} ${name}`;

  const isTrusted = (id: string) => folders.get(id)?.trusted === true;

  /** Asked for each time: another folder may have taken its place, and trust that was taken back stays so. */
  function pins(vaultPath: string, id: string, mayAgree: () => boolean): Pins {
    const agreed = () => (folderId(vaultPath) === id ? (folders.get(id)?.agreed ?? []) : []);
    const pins: Pins = {
      isAgreed({ fingerprint }) {
        if (agreed().some((thing) => thing.fingerprint === fingerprint)) return true;
        const written = drafts.get(id);
        const draft = folderId(vaultPath) === id ? written?.get(fingerprint) : undefined;
        if (!draft || !mayAgree()) return false;
        // Where it was another one before, the way back is a change as well.
        for (const [key, { kind, name }] of written ?? []) {
          if (keyOf({ kind, name }) === keyOf(draft)) written?.delete(key);
          if (key === fingerprint) break;
        }
        pins.agree([draft]);
        return true;
      },
      agreedLines: (thing) => agreed().find((one) => keyOf(one) === keyOf(thing))?.lines ?? null,
      agree(things) {
        if (things.length === 0 || folderId(vaultPath) !== id || !mayAgree()) return;
        const names = new Set(things.map(keyOf));
        const plain = things.map(({ kind, name, lines, fingerprint }) => ({
          kind,
          name,
          lines,
          fingerprint,
        }));
        const folder = folders.get(id) ?? { path: real(vaultPath), id, trusted: false, agreed: [] };
        folders.set(id, {
          ...folder,
          agreed: [...folder.agreed.filter((one) => !names.has(keyOf(one))), ...plain],
        });
        save();
      },
      write(thing, before) {
        const written = drafts.get(id) ?? new Map<string, Contribution>();
        const isKnown = ({ fingerprint }: Contribution) =>
          written.has(fingerprint) || agreed().some((one) => one.fingerprint === fingerprint);
        if (before && !isKnown(before)) return;
        written.delete(thing.fingerprint);
        drafts.set(id, written.set(thing.fingerprint, thing));
        const [oldest] = written.keys();
        if (written.size > mostDrafts && oldest !== undefined) written.delete(oldest);
      },
    };
    return pins;
  }

  return {
    isTrusted: (vaultPath) => isTrusted(folderId(vaultPath) ?? ''),
    wasTrusted(vaultPath) {
      const path = real(vaultPath);
      return [...former, ...folders.values()].some((folder) => folder.trusted && folder.path === path);
    },
    setTrusted(vaultPath, trusted) {
      const [id, path] = [folderId(vaultPath), real(vaultPath)];
      former = former.filter((folder) => folder.path !== path);
      if (id !== null) {
        if (trusted) folders.set(id, { path, id, trusted, agreed: folders.get(id)?.agreed ?? [] });
        else folders.delete(id);
      }
      save();
    },
    pinsOf(vaultPath) {
      const id = folderId(vaultPath) ?? '';
      return isTrusted(id) ? pins(vaultPath, id, () => isTrusted(id)) : null;
    },
    madeIn: (vaultPath) => pins(vaultPath, folderId(vaultPath) ?? '', () => true),
  };
}

type Folders = readonly {
  readonly path: string;
  readonly id?: string | undefined;
  readonly trusted: boolean;
  readonly agreed: readonly Contribution[];
}[];

function load(
  path: string,
  onTrouble: (trouble: FileTrouble) => void,
): { folders: Folders; mayReplace: boolean } {
  try {
    const text = readFileAtSync(path, largestSetting).toString('utf8');
    const { version, folders } = TrustFile.parse(JSON.parse(text));
    if (version > knownVersion) throw new NewerFile(`It has version ${version}.`);
    const lost: string[] = [];
    const entries = folders.flatMap((entry, at) => readFolder(entry, `folders.${at}`, lost));
    if (lost.length > 0) {
      const keptAs = setAside(path);
      onTrouble({ file: path, state: 'damaged', reason: '', keptAs, lost });
    }
    return { folders: entries, mayReplace: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { folders: [], mayReplace: true };
    const state = stateOf(error);
    const isUseless = state === 'damaged' || state === 'newer';
    const keptAs = isUseless ? setAside(path) : null;
    onTrouble({ file: path, state, reason: reasonOf(error), keptAs, lost: [] });
    return { folders: [], mayReplace: keptAs !== null };
  }
}

/** A wrong entry costs itself: a folder its trust, a thing what was agreed to. */
function readFolder(entry: unknown, place: string, lost: string[]): Folders {
  if (typeof entry === 'string') return [{ path: entry, trusted: true, agreed: [] }];
  const folder = Folder.safeParse(entry);
  if (!folder.success) {
    lost.push(place);
    return [];
  }
  const agreed = folder.data.agreed.flatMap((thing, at) => {
    const parsed = Thing.safeParse(thing);
    if (!parsed.success) lost.push(`${folder.data.path}: agreed.${at}`);
    return parsed.success ? [parsed.data] : [];
  });
  return [{ ...folder.data, agreed }];
}

/** Another way to the same folder, such as a link, is the same folder. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
