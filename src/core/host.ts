import type { HostInfo } from '../contract/app';
import type { Clock, FileTrouble, Log } from './foundation';

/** Keys by name. Values never leave the core. */
export interface SecretStore {
  readonly kind: HostInfo['secretStore'];
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Told once for each time that stored keys could not be taken as they are. */
  onTrouble?(listener: (trouble: FileTrouble) => void): void;
}

/** Where settings are kept: electron-store in Electron, conf elsewhere; the same file format. */
export interface SettingsFile {
  /** Absolute. */
  readonly path: string;
  read(): unknown;
  write(value: unknown): void;
  /** Moves a damaged file away under another name and says which. */
  setAside?(): string;
}

/** What a host gives to the core. */
export interface Host {
  readonly info: Omit<HostInfo, 'secretStore'>;
  /** Absolute. Holds settings, `mcp.json`, the database, journals and logs. */
  readonly dataFolder: string;
  /** Absolute. Where the sample vault is copied to. */
  readonly documentsFolder: string;
  /** Absolute. The app's `resources`. */
  readonly resourcesFolder: string;
  /** How to start the bundled vault server: a program and the arguments before the vault's path. */
  readonly vaultServer: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Absolute. The program that checks by schemas which could take long, run as `vaultServer` is. */
  readonly schemaProgram: string;
  /** Absolute. The program that keeps the sandboxes of servers; left out: this host can't put a server into one. */
  readonly sandboxProgram?: string;
  /** Another app has this data folder and sees what becomes of notes: what this one finds in them is not its to tell. */
  readonly isGuest?: boolean;
  /** Somebody looks at a page of ours in which a server's own page can be framed. */
  readonly showsViews?: boolean;
  /** Where our page finds a picture of the vault, for a while; without it under `/files/`. */
  readonly imageAddress?: (path: string) => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly secrets: SecretStore;
  readonly settingsFile: SettingsFile;
  /** Only called with http, https and mailto addresses. */
  openExternal(url: string): Promise<void>;
  /** Null where the host has no dialogs or the person changed their mind. */
  pickFolder(): Promise<string | null>;
  moveToTrash(absolutePath: string): Promise<void>;
}
