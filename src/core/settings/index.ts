import type { Settings } from '../../contract/settings';
import type { Picture } from '../foundation';

/** Live: whoever reads `current.get()` at the moment of use follows every change. */
export interface SettingsDoor {
  readonly current: Picture<Settings>;
  /** Top-level groups are merged one level deep. Throws `settings.invalid`. */
  change(changes: Readonly<Record<string, unknown>>): Settings;
}

/** Which folders a person trusts. */
export interface Trust {
  isTrusted(vaultPath: string): boolean;
  setTrusted(vaultPath: string, trusted: boolean): void;
}
