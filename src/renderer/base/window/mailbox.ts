type Stored = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export interface MailboxParts {
  /** One for all windows. */
  readonly storage: Stored;
  /** Of one window, over its reloads. A copy of it comes with a copy of the window. */
  readonly session: Pick<Storage, 'getItem' | 'setItem'>;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  /** How long a name that is taken may still be let go of by the page that had it. */
  readonly letGoMs: number;
}

/** Null: what is kept under the name is to go. */
type Content = object | null;

/** Something that the core does not have yet, or did not say that it has. */
export interface Letter {
  readonly window: string;
  readonly name: string;
  readonly at: number;
  readonly content: Content;
}

/**
 * Where words wait that have not reached the core: whoever owns them lives there, and this is emptied as soon as it has them.
 * Each thing is an entry of its own that no other window writes.
 */
export interface Mailbox {
  /** The number of this window, the same when it is loaded anew. */
  readonly window: string;
  /** The window that this one was copied from, and that is still there. */
  readonly copyOf: string | null;
  /** What waits of this window itself, without what is only to go. */
  all(): ReadonlyMap<string, object>;
  /** The same with what is to go, by name. */
  letters(): ReadonlyMap<string, Letter>;
  /** Throws where nothing more can be stored. */
  post(name: string, content: Content): Letter;
  /** It has arrived; what was posted under the name since still waits. */
  arrived(letter: Pick<Letter, 'window' | 'name' | 'at'>): void;
  remove(name: string): void;
  /** What windows that are gone have left. */
  ofGone(): Promise<readonly Letter[]>;
  /**
   * Takes what windows that are gone have left under the names that are asked for and that this window has nothing
   * under: of each the newest. What is left over waits for the next time. Returns what was taken.
   */
  takeUp(isMatch: (name: string) => boolean): Promise<ReadonlyMap<string, object>>;
  /** The windows that are there, whether or not they are connected. */
  alive(): Promise<readonly string[]>;
}

interface Entry extends Letter {
  readonly key: string;
}

const prefix = 'interlinear.typed.';
const windowLock = 'interlinear.window.';
/** How long the words of a window that is gone wait for somebody to open their form. */
const keptMs = 180 * 24 * 3_600_000;

export async function openMailbox(parts: MailboxParts): Promise<Mailbox> {
  const { storage, locks } = parts;
  const { own, copyOf } = await claim(parts);
  const keyOf = (window: string, name: string) => `${prefix}${window}.${name}`;
  const isOwn = ({ window }: Letter) => window === own;
  const alive = async () => {
    const { held = [] } = await locks.query();
    const names = held.flatMap(({ name }) => name ?? []).filter((name) => name.startsWith(windowLock));
    return names.map((name) => name.slice(windowLock.length));
  };
  const lettersOfGone = async () => {
    const there = new Set([own, ...(await alive())]);
    return readEntries(storage).filter(({ window }) => !there.has(window));
  };
  /** No two letters of one moment. */
  let last = 0;
  const remove = (name: string) => storage.removeItem(keyOf(own, name));

  /** One window at a time, so that two never take up the same. */
  const alone = <T>(act: () => Promise<T>): Promise<T> =>
    locks.request('interlinear.typed', act) as Promise<T>;

  await alone(async () => {
    for (const { key, at } of await lettersOfGone()) if (at < Date.now() - keptMs) storage.removeItem(key);
  });

  return {
    window: own,
    copyOf,
    alive,
    remove,
    all: () => new Map(readEntries(storage).filter(isOwn).flatMap(asContent)),
    letters: () =>
      new Map(
        readEntries(storage)
          .filter(isOwn)
          .map((letter) => [letter.name, letter]),
      ),
    post(name, content) {
      last = Math.max(Date.now(), last + 1);
      const letter = { window: own, name, at: last, content };
      storage.setItem(keyOf(own, name), JSON.stringify({ at: letter.at, draft: content }));
      return letter;
    },
    arrived({ window, name, at }) {
      const key = keyOf(window, name);
      if (readEntry(storage, key)?.at === at) storage.removeItem(key);
    },
    ofGone: lettersOfGone,
    async takeUp(isMatch) {
      const isWanted = (entry: Entry) => !isOwn(entry) && entry.content !== null && isMatch(entry.name);
      if (!readEntries(storage).some(isWanted)) return new Map();
      return alone(async () => {
        const letters = (await lettersOfGone()).filter(isWanted).sort((a, b) => b.at - a.at);
        const entries = new Map<string, Entry>();
        for (const entry of letters) {
          const mine = entries.get(entry.name);
          if (mine === undefined && storage.getItem(keyOf(own, entry.name)) === null) {
            storage.setItem(keyOf(own, entry.name), storage.getItem(entry.key) ?? '');
            entries.set(entry.name, entry);
          } else if (JSON.stringify(mine?.content) !== JSON.stringify(entry.content)) {
            continue;
          }
          storage.removeItem(entry.key);
        }
        return new Map([...entries.values()].flatMap(asContent));
      });
    },
  };
}

const asContent = ({ name, content }: Letter) => (content === null ? [] : [[name, content] as const]);

/** The name of this window: the one it had before it was loaded anew, unless that is another living window's. */
async function claim({ session, locks, letGoMs }: MailboxParts) {
  const remembered = 'interlinear.window';
  const before = session.getItem(remembered);
  if (before !== null && (await hold(locks, before, letGoMs))) return { own: before, copyOf: null };
  const own = crypto.randomUUID();
  await hold(locks, own, letGoMs);
  session.setItem(remembered, own);
  return { own, copyOf: before };
}

/** For as long as the window lives. Whoever is just being loaded anew lets go of it within moments. */
const hold = (locks: MailboxParts['locks'], window: string, letGoMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const never = new Promise<never>(() => undefined);
    locks
      .request(windowLock + window, { signal: AbortSignal.timeout(letGoMs) }, () => {
        resolve(true);
        return never;
      })
      .catch(() => resolve(false));
  });

const readEntries = (storage: Stored): Entry[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').flatMap(
    (key) => readEntry(storage, key) ?? [],
  );

function readEntry(storage: Stored, key: string): Entry | null {
  if (!key.startsWith(prefix)) return null;
  const dot = key.indexOf('.', prefix.length);
  try {
    const { at, draft } = JSON.parse(storage.getItem(key) ?? '') as { at: number; draft: unknown };
    if (typeof draft !== 'object') return null;
    return {
      key,
      window: key.slice(prefix.length, dot),
      name: key.slice(dot + 1),
      at: Number(at),
      content: draft,
    };
  } catch {
    return null;
  }
}
