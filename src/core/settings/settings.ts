import { existsSync } from 'node:fs';
import { tagName } from '../../contract/providers';
import { Settings } from '../../contract/settings';
import { isSameTag, roleOfTag } from '../../contract/tag-meanings';
import {
  createObservable,
  type FileTrouble,
  issuesOf,
  type Log,
  type Observable,
  reasonOf,
  stateOf,
  throwUnlessSeen,
} from '../foundation';
import type { SettingsFile } from '../host';
import { invalid, throwUnlessUsable } from './checks';
import { isGroup } from './group';
import { migrate } from './migrations';
import { withoutBroken } from './without-broken';

/** Live: whoever reads `current.get()` at the moment of use follows every change. */
export interface SettingsStore {
  readonly current: Observable<Settings>;
  /**
   * Top-level groups are merged one level deep. Throws `settings.invalid`, and `settings.changed` where what is replaced
   * is not what was `seen`.
   */
  change(changes: Readonly<Record<string, unknown>>, seen?: Readonly<Record<string, unknown>>): Settings;
  /** Where the file is gone it is written again from memory. Throws where it can't be. */
  putBack(): void;
}

export function createSettings({
  settingsFile,
  log,
  onTrouble,
}: {
  settingsFile: SettingsFile;
  log: Log;
  onTrouble: (trouble: FileTrouble) => void;
}): SettingsStore {
  const current = createObservable(load());

  function load(): Settings {
    try {
      const stored = migrate(settingsFile.read());
      const parsed = Settings.safeParse(stored);
      if (parsed.success) return parsed.data;
      const { settings, lost } = withoutBroken(stored, parsed.error);
      tell({ state: 'damaged', reason: issuesOf(parsed.error).join('; '), lost });
      return withFormerTags(tagsIn(stored), settings);
    } catch (error) {
      tell({ state: stateOf(error), reason: reasonOf(error), lost: [] });
      return Settings.parse({});
    }
  }

  function tell(trouble: Pick<FileTrouble, 'state' | 'reason' | 'lost'>): void {
    let keptAs: string | null = null;
    try {
      // What is whole, but can't be read now, stays.
      const isUseless = trouble.state === 'damaged' || trouble.state === 'newer';
      if (isUseless) keptAs = settingsFile.setAside?.() ?? null;
    } catch (error) {
      log.warn('damaged settings could not be set aside', { error });
    }
    log.warn('settings not taken as they are', { ...trouble, keptAs });
    onTrouble({ file: settingsFile.path, ...trouble, keptAs });
  }

  /** The command line may have changed the file while the app runs, or the other way round. */
  function newest(): Settings {
    try {
      const stored = settingsFile.read();
      const parsed = Settings.safeParse(migrate(stored));
      if (parsed.success && isGroup(stored) && Object.keys(stored).length > 0) return parsed.data;
    } catch {
      // What is known here is better than a file that was damaged meanwhile.
    }
    return current.get();
  }

  return {
    current,
    putBack() {
      if (!existsSync(settingsFile.path)) settingsFile.write(current.get());
    },
    change(changes, seen = {}) {
      const before: Record<string, unknown> = newest();
      for (const [key, value] of Object.entries(seen)) {
        const old = before[key];
        if (!isGroup(old) || !isGroup(value)) throwUnlessSeen(value, old);
        else for (const [name, one] of Object.entries(value)) throwUnlessSeen(one, old[name]);
      }
      const merged = { ...before };
      for (const [key, value] of Object.entries(changes)) {
        if (!Object.hasOwn(Settings.shape, key)) throw invalid([`${key}: There is no such setting.`]);
        const old = before[key];
        merged[key] = isGroup(old) && isGroup(value) ? { ...old, ...value } : value;
      }
      const parsed = Settings.safeParse(merged);
      if (!parsed.success) throw invalid(issuesOf(parsed.error));
      throwUnlessUsable(current.get(), parsed.data);
      const next = withFormerTags(current.get(), parsed.data);
      settingsFile.write(next);
      current.set(next);
      return next;
    },
  };
}

interface Tagged {
  readonly providers: readonly { readonly tag: string }[];
  readonly formerTags: readonly string[];
}

/** The tags of providers that are gone, or called otherwise now, are kept, and those that were kept before. */
function withFormerTags(before: Tagged, after: Settings): Settings {
  const isKnown = (tag: string) =>
    [...after.providers.map((one) => one.tag), ...after.formerTags].some((one) => isSameTag(one, tag));
  const oldTags = [...before.formerTags, ...before.providers.map(({ tag }) => tag)].filter(
    (tag) => tagName.test(tag) && roleOfTag(tag, after.tags) === null && !isKnown(tag),
  );
  return oldTags.length === 0 ? after : { ...after, formerTags: [...after.formerTags, ...oldTags] };
}

/** Also of providers whose entries are not taken as they are. */
function tagsIn(stored: unknown): Tagged {
  const providers: unknown = isGroup(stored) ? stored.providers : null;
  const tags = (Array.isArray(providers) ? providers : []).map((one) => (isGroup(one) ? one.tag : null));
  return { providers: tags.filter((tag) => typeof tag === 'string').map((tag) => ({ tag })), formerTags: [] };
}
