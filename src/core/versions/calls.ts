import type { VersionAnswer, VersionAuthor } from '../../contract/versions';

export interface ToolCallMade {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What it says of itself. */
  readonly readOnly: boolean;
  /** Null: no answer made it. */
  readonly answer: VersionAnswer | null;
}

interface UnderWay {
  readonly author: (certain: boolean) => VersionAuthor;
  readonly names: ReadonlySet<string>;
  endedAt: number | null;
}

/** Who may have changed a file: what runs while it changes, or has run a moment ago. */
export interface CallsUnderWay {
  begin(call: ToolCallMade): void;
  end(callId: string): void;
  /** Runs what the app itself writes for the person, other than through an open note. */
  whileWriting<T>(author: VersionAuthor, work: () => Promise<T>): Promise<T>;
  /** Of a change of the file that is seen now. */
  authorsOf(path: string): VersionAuthor[];
}

/** Milliseconds after its end in which a change may still be seen. */
const settleMs = 1_500;

export function createCallsUnderWay(now: () => number): CallsUnderWay {
  const calls = new Map<string, UnderWay>();
  let own = 0;

  function forgetOld(): void {
    for (const [id, { endedAt }] of calls)
      if (endedAt !== null && now() - endedAt > settleMs) calls.delete(id);
  }

  function end(callId: string): void {
    const call = calls.get(callId);
    if (call) call.endedAt = now();
  }

  return {
    begin({ callId, server, tool, answer, readOnly, arguments: args }) {
      forgetOld();
      if (readOnly) return;
      const author = (certain: boolean): VersionAuthor => ({
        kind: 'tool',
        server,
        tool,
        callId,
        certain,
        answer,
      });
      calls.set(callId, { author, names: namesIn(args), endedAt: null });
    },
    end,
    async whileWriting(author, work) {
      const id = `own ${own++}`;
      calls.set(id, { author: () => author, names: new Set(), endedAt: null });
      try {
        return await work();
      } finally {
        end(id);
      }
    },
    authorsOf(path) {
      forgetOld();
      const all = [...calls.values()];
      const named = all.filter(({ names }) => namesOf(path).some((name) => names.has(name)));
      if (named.length > 0) return named.map(({ author }) => author(true));
      const running = all.filter(({ endedAt }) => endedAt === null);
      const found = (running.length > 0 ? running : all).map(({ author }) => author(false));
      return found.length > 0 ? found : [{ kind: 'disk' }];
    },
  };
}

/** As an argument may name a note: by its path in the vault, its file or its title. */
function namesOf(path: string): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const bare = (name: string) => name.replace(/\.(md|markdown)$/i, '');
  const id = /^([A-Z]+-\d+)\b/.exec(file)?.[1];
  return [path, bare(path), file, bare(file), ...(id ? [id] : [])];
}

const mostNames = 1_000;

/** Each short text in the arguments, and of paths each end: `/vault/a/b.md` also names `a/b.md` and `b.md`. */
function namesIn(value: unknown): Set<string> {
  const names = new Set<string>();
  const walk = (part: unknown): void => {
    if (names.size > mostNames) return;
    if (typeof part === 'string') {
      if (part.length > 4_096) return;
      const text = part.replaceAll('\\', '/');
      names.add(text);
      for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1))
        names.add(text.slice(at + 1));
    } else if (typeof part === 'object' && part !== null)
      for (const inner of Object.values(part)) walk(inner);
  };
  walk(value);
  return names;
}
