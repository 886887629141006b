import type { VaultChange, VaultEntry, VaultState } from '../../contract/vault';
import type { PrintedText } from '../../files';
import type { Observable } from '../foundation';
import type { LateWrite } from './files/replaced-files';
import type { DiskChange } from './watch/observe';

interface Written {
  readonly path: string;
  readonly version: string;
  text(): string;
  /** Null: none is known; none was there before. */
  readonly file: string | null;
  readonly replaced: string | null;
}

/** What the app itself did to a file of the vault. */
export type OwnChange =
  /** A new file, told in the moment in which it is there. */
  | { readonly kind: 'created'; readonly path: string }
  | (Written & {
      readonly kind: 'written';
      /** Hard links outside the vault that go on with the text that was there. */
      readonly linksElsewhere: number;
    })
  /** Another name of the file that was written. */
  | (Written & { readonly kind: 'linked' })
  /** Of a note or of a folder with all that is in it. */
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'trashed'; readonly path: string };

/** What the app itself is about to do to a note, or to a folder with all that is in it. */
export type PlannedChange =
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'trash'; readonly path: string };

/** The vault that is open, or none. All paths are relative to it. */
export interface Vault {
  readonly state: Observable<VaultState>;
  /** The folder that `open` would open, in full; throws where it could not. */
  check(absolutePath: string): Promise<string>;
  open(absolutePath: string): Promise<void>;
  close(): Promise<void>;
  /** Asks anew whether the person trusts the folder, and shows it in `state`. */
  reviewTrust(): Promise<void>;
  /** Absolute; throws `vault.none`. */
  root(): string;
  /** Which folder it is. Null: none is open, or another one stands at its path by now. */
  id(): string | null;
  entries(): readonly VaultEntry[];
  /** Names of the folders at its top, in order. */
  readonly folders: Observable<readonly string[]>;
  followEntries(signal: AbortSignal): AsyncIterable<VaultChange>;
  /** Decides what is inside; see `files/safe-path`. */
  resolve(path: string): Promise<string>;
  /**
   * UTF-8 text as it stands on disk (line ends kept, BOM kept), its version (SHA-256 of the bytes, hex), which file it is, and
   * when it was written last (milliseconds, by the disk's clock).
   */
  read(path: string): Promise<{ text: string; version: string; file: string; modified: number }>;
  /** The same, not yet decoded: what that costs is a long note's to save. */
  readRaw(path: string): Promise<{ bytes: Uint8Array; version: string; file: string; modified: number }>;
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  /** Whether a write to this file would be allowed. */
  mayWrite(path: string): Promise<boolean>;
  /** Whether a program has the file open for writing just now; null where the system does not tell. */
  isOpenForWriting(path: string): Promise<boolean | null>;
  /** Durable. Throws `vault.changed` unless the disk still holds `expectedVersion` (null: the file must not exist). */
  write(
    path: string,
    text: string | PrintedText,
    expectedVersion: string | null,
  ): Promise<{ version: string; file: string | null }>;
  /** Like `create`, for attachments. */
  writeBytes(path: string, bytes: Uint8Array): Promise<{ path: string }>;
  create(path: string, text: string): Promise<{ path: string }>;
  createFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  trash(path: string): Promise<void>;
  /** Compares the whole folder with what is known. */
  sweep(): Promise<void>;
  /** The same for a window that comes to the front: not so soon after the last time, and not while the disk is slow. */
  lookAround(): Promise<void>;
  /** Called when another program changed, created or removed a file. Returns what stops it. */
  onDiskChange(listener: (changes: DiskChange) => void): () => void;
  /**
   * Called before the app itself renames or trashes, which waits for the answer; the answer is called in the moment in
   * which it has happened, or has failed. Returns what stops it.
   */
  beforeOwnChange(listener: (planned: PlannedChange) => Promise<(isDone: boolean) => void>): () => void;
  /** Called after the app itself did. Returns what stops it. */
  onOwnChange(listener: (change: OwnChange) => void): () => void;
  /** Called when another program wrote into a file that a `write` had replaced by then. Returns what stops it. */
  onLateWrite(listener: (late: LateWrite) => void): () => void;
  /**
   * Whether what was kept for that vault is for this one: for the same folder, wherever it is moved. Another folder at its
   * path has to be trusted; the path alone tells where one of them has no identity.
   */
  isOf(of: { readonly root: string; readonly id: string | null }): boolean;
  /** Which file stands at the path this moment. Null: none. */
  fileAt(path: string): string | null;
  /** Where this file is now, or the one that a save here put in its place, whoever moved it. Null: nobody knows. */
  whereIs(file: string): string | null;
  /** Whether that file was at another place than this when it was looked at last: what is there came from there, or is a copy. */
  wasElsewhere(file: string, path: string): boolean;
  /** Whether that file was a note at another place for some time, and is not there any more. */
  isMovedNote(file: string, path: string): boolean;
  /** Whether saves here put this file, by one name or another, in the place of that one. */
  succeeds(file: string, former: string): boolean;
  /** The note or file that a link's target means: exact path, then beside, then shortest path with that name. Null: broken. */
  findLinked(target: string, fromPath: string): string | null;
}
