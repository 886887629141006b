import { AppError } from '../../contract/errors';
import { Settings } from '../../contract/settings';
import { createPicture, type Log, type Picture } from '../foundation';
import type { SettingsFile } from '../host';
import { migrate } from './migrations';

/** Live: whoever reads `current.get()` at the moment of use follows every change. */
export interface SettingsDoor {
  readonly current: Picture<Settings>;
  /** Top-level groups are merged one level deep. Throws `settings.invalid`. */
  change(changes: Readonly<Record<string, unknown>>): Settings;
}

/** `setAside` is where the damaged file went, null where it could not be moved. */
export type OnDamaged = (setAside: string | null, reason: string) => void;

export function createSettings({
  settingsFile,
  log,
  onDamaged,
}: {
  settingsFile: SettingsFile;
  log: Log;
  onDamaged: OnDamaged;
}): SettingsDoor {
  const current = createPicture(load());

  function load(): Settings {
    try {
      const stored = migrate(settingsFile.read());
      const parsed = Settings.safeParse(stored);
      if (parsed.success) return parsed.data;
      const reason = issuesOf(parsed.error).join('; ');
      setAside(reason);
      return Settings.parse(withoutBroken(stored, parsed.error));
    } catch (error) {
      setAside(error instanceof Error ? error.message : String(error));
      return Settings.parse({});
    }
  }

  function setAside(reason: string): void {
    let path: string | null = null;
    try {
      path = settingsFile.setAside?.() ?? null;
    } catch (error) {
      log.warn('damaged settings could not be set aside', { error });
    }
    log.warn('settings were damaged', { reason, setAside: path });
    onDamaged(path, reason);
  }

  return {
    current,
    change(changes) {
      const before: Record<string, unknown> = current.get();
      const merged = { ...before };
      for (const [key, value] of Object.entries(changes)) {
        if (!Object.hasOwn(Settings.shape, key)) throw invalid([`${key}: There is no such setting.`]);
        const old = before[key];
        merged[key] = isGroup(old) && isGroup(value) ? { ...old, ...value } : value;
      }
      const parsed = Settings.safeParse(merged);
      if (!parsed.success) throw invalid(issuesOf(parsed.error));
      settingsFile.write(parsed.data);
      current.set(parsed.data);
      return parsed.data;
    },
  };
}

/** One wrong value costs its own group, not all the others. */
function withoutBroken(stored: unknown, error: { issues: { path: PropertyKey[] }[] }): unknown {
  if (!isGroup(stored)) return {};
  const broken = new Set(error.issues.map((issue) => issue.path[0]));
  return Object.fromEntries(Object.entries(stored).filter(([key]) => !broken.has(key)));
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function issuesOf(error: { issues: { path: PropertyKey[]; message: string }[] }): string[] {
  return error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`);
}

function invalid(issues: string[]): AppError<'settings.invalid'> {
  return new AppError('settings.invalid', `The settings were not changed. ${issues.join('; ')}`, { issues });
}
