type Stored = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export interface WindowParts {
  /** One for all windows. */
  readonly storage: Stored;
  /** Of one window, over its reloads. A copy of it comes with a copy of the window. */
  readonly session: Pick<Storage, 'getItem' | 'setItem'>;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  /** How long a name that is taken may still be let go of by the page that had it. */
  readonly letGoMs: number;
}

/** What is typed in one window and saved nowhere, each thing in an entry of its own that no other window writes. */
export interface WindowDrafts {
  all(): ReadonlyMap<string, unknown>;
  /** Null: saved or discarded. Throws where nothing more can be stored. */
  put(name: string, draft: object | null): void;
  /**
   * Takes what windows that are gone have left under the names that are asked for and that this window has nothing
   * under: of each the newest. What is left over waits for the next time. Returns what was taken.
   */
  takeUp(wanted: (name: string) => boolean): Promise<ReadonlyMap<string, unknown>>;
}

interface Entry {
  readonly key: string;
  readonly window: string;
  readonly name: string;
  readonly at: number;
  readonly draft: unknown;
}

const prefix = 'interlinear.typed.';
const windowLock = 'interlinear.window.';
/** How long the words of a window that is gone wait for somebody to open their form. */
const keptMs = 180 * 24 * 3_600_000;

export async function enterWindow(parts: WindowParts): Promise<WindowDrafts> {
  const { storage, locks } = parts;
  const own = await claim(parts);
  const keyOf = (name: string) => `${prefix}${own}.${name}`;
  const isOwn = ({ window }: Entry) => window === own;
  const gone = async () => {
    const { held = [] } = await locks.query();
    const alive = new Set(held.map(({ name }) => name));
    return read(storage).filter(({ window }) => window !== own && !alive.has(windowLock + window));
  };

  /** One window at a time, so that two never take up the same. */
  const alone = <T>(act: () => Promise<T>): Promise<T> =>
    locks.request('interlinear.typed', act) as Promise<T>;

  await alone(async () => {
    for (const { key, at } of await gone()) if (at < Date.now() - keptMs) storage.removeItem(key);
  });

  return {
    all: () => new Map(read(storage).filter(isOwn).map(byName)),
    put(name, draft) {
      if (draft === null) storage.removeItem(keyOf(name));
      else storage.setItem(keyOf(name), JSON.stringify({ at: Date.now(), draft }));
    },
    async takeUp(wanted) {
      const isWanted = (entry: Entry) => !isOwn(entry) && wanted(entry.name);
      if (!read(storage).some(isWanted)) return new Map();
      return alone(async () => {
        const left = (await gone()).filter(isWanted).sort((a, b) => b.at - a.at);
        const taken = new Map<string, Entry>();
        for (const entry of left) {
          const mine = taken.get(entry.name);
          if (mine === undefined && storage.getItem(keyOf(entry.name)) === null) {
            storage.setItem(keyOf(entry.name), storage.getItem(entry.key) ?? '');
            taken.set(entry.name, entry);
          } else if (JSON.stringify(mine?.draft) !== JSON.stringify(entry.draft)) {
            continue;
          }
          storage.removeItem(entry.key);
        }
        return new Map([...taken.values()].map(byName));
      });
    },
  };
}

const byName = ({ name, draft }: Entry) => [name, draft] as const;

/** The name of this window: the one it had before it was loaded anew, unless that is another living window's. */
async function claim({ session, locks, letGoMs }: WindowParts): Promise<string> {
  const remembered = 'interlinear.window';
  const before = session.getItem(remembered);
  if (before !== null && (await hold(locks, before, letGoMs))) return before;
  const fresh = crypto.randomUUID();
  await hold(locks, fresh, letGoMs);
  session.setItem(remembered, fresh);
  return fresh;
}

/** For as long as the window lives. Whoever is just being loaded anew lets go of it within moments. */
const hold = (locks: WindowParts['locks'], window: string, letGoMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const never = new Promise<never>(() => undefined);
    locks
      .request(windowLock + window, { signal: AbortSignal.timeout(letGoMs) }, () => {
        resolve(true);
        return never;
      })
      .catch(() => resolve(false));
  });

function read(storage: Stored): Entry[] {
  return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').flatMap((key) => {
    if (!key.startsWith(prefix)) return [];
    const dot = key.indexOf('.', prefix.length);
    try {
      const { at, draft } = JSON.parse(storage.getItem(key) ?? '') as { at: number; draft: unknown };
      return [
        { key, window: key.slice(prefix.length, dot), name: key.slice(dot + 1), at: Number(at), draft },
      ];
    } catch {
      return [];
    }
  });
}
