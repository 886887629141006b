import type { VersionAnswer, VersionAuthor } from '../../../contract/versions';
import type { Change } from './looks';

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

/** What was known of notes when a call began. */
export interface KnownNotes {
  /** The note was there. */
  had(path: string): boolean;
  /** What it said then is kept. */
  isKept(path: string): boolean;
}

interface UnderWay {
  readonly author: (certain: boolean) => VersionAuthor;
  readonly names: ReadonlySet<string>;
  /** Null: nothing is certain. */
  readonly before: KnownNotes | null;
  /** It is a tool’s, not the app’s own. */
  readonly isTool: boolean;
  /** When its result came; what it wrote may be heard of after that. */
  answeredAt: number | null;
  endedAt: number | null;
}

/** Who may have changed a file: what runs while it changes, or has run a moment ago. */
export interface CallsUnderWay {
  begin(call: ToolCallMade, before: KnownNotes | null): void;
  answered(callId: string): void;
  /** All that it wrote was heard of. */
  end(callId: string): void;
  /** Runs what the app itself writes for the person, other than through an open note. */
  whileWriting<T>(author: VersionAuthor, work: () => Promise<T>): Promise<T>;
  /** Of a change of the file that is seen now. */
  seenNow(path: string): Change;
}

/** Milliseconds after its end in which a change may still be seen. */
const settleMs = 1_500;

/** One closure, since it is one list of calls. */
export function createCallsUnderWay({
  now,
  writtenAt,
}: {
  now: () => number;
  /** When the note’s file was changed last, by the clock of its disk. */
  writtenAt: (path: string) => number;
}): CallsUnderWay {
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
    begin({ callId, server, tool, answer, readOnly, arguments: args }, before) {
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
      calls.set(callId, {
        author,
        names: namesIn(args),
        before,
        isTool: true,
        answeredAt: null,
        endedAt: null,
      });
    },
    answered(callId) {
      const call = calls.get(callId);
      if (call) call.answeredAt ??= now();
    },
    end,
    async whileWriting(author, work) {
      const id = `own ${own++}`;
      calls.set(id, {
        author: () => author,
        names: new Set(),
        before: null,
        isTool: false,
        answeredAt: null,
        endedAt: null,
      });
      try {
        return await work();
      } finally {
        end(id);
      }
    },
    seenNow(path) {
      forgetOld();
      const all = [...calls.values()];
      const matches = all.filter(({ names }) => namesOf(path).some((name) => names.has(name)));
      const running = all.filter(({ endedAt }) => endedAt === null);
      const isNamed = matches.length > 0;
      const writers = isNamed ? matches : running.length > 0 ? running : all;
      if (writers.length === 0) return { by: [{ kind: 'disk' }], isNew: null };
      const isCertain = ({ before, answeredAt, endedAt }: UnderWay) =>
        isNamed &&
        endedAt === null &&
        (answeredAt === null || writtenAt(path) <= answeredAt) &&
        before !== null &&
        (before.isKept(path) || !before.had(path));
      return {
        by: writers.map((one) => one.author(isCertain(one))),
        isNew: writers.some(({ isTool }) => isTool)
          ? writers.every(({ before }) => before !== null && !before.had(path))
          : null,
      };
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
