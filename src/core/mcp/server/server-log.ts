import { type Clock, createObservable, type Observable, redactText } from '../../foundation';
import { foreignWords } from '../fence/foreign-words';

export interface LogLine {
  readonly at: number;
  readonly from: 'stderr' | 'log' | 'app';
  readonly text: string;
}

/** The newest lines a server wrote. */
export interface ServerLog {
  readonly lines: Observable<LogLine[]>;
  add(from: LogLine['from'], text: string): void;
  /** A message that the server sent as one of its log; more than can be read are counted and left out. */
  message(text: string): void;
  /** The last lines of standard error since the last start. */
  tail(count: number): string[];
  /** A new start: what was written before does not explain it. */
  mark(): void;
}

const mostLines = 500;
const longest = 2_000;
const showEveryMs = 100;
const mostMessages = { count: 100, everyMs: 1_000 };

export function createServerLog(clock: Clock): ServerLog {
  const lines = createObservable<LogLine[]>([]);
  let ring: LogLine[] = [];
  let sinceStart = 0;
  let pending = false;
  let messages = 0;
  let leftOut = 0;

  function add(from: LogLine['from'], text: string): void {
    ring.push({ at: clock.now(), from, text: redactText(foreignWords(text, longest)) });
    if (from === 'stderr') sinceStart++;
    // Cut rarely: a flood of lines must stay cheap.
    if (ring.length > mostLines * 2) ring = ring.slice(-mostLines);
    if (pending) return;
    pending = true;
    clock.after(showEveryMs, () => {
      pending = false;
      lines.set(ring.slice(-mostLines));
    });
  }

  return {
    lines,
    add,
    message(text) {
      if (messages === 0)
        clock.after(mostMessages.everyMs, () => {
          if (leftOut > 0) add('app', `${leftOut} more messages in this second were left out.`);
          messages = 0;
          leftOut = 0;
        });
      messages++;
      if (messages <= mostMessages.count) add('log', text);
      else leftOut++;
    },
    tail(count) {
      const own = ring.filter(({ from }) => from === 'stderr').map(({ text }) => text);
      return own.slice(own.length - Math.min(count, sinceStart, own.length));
    },
    mark() {
      sinceStart = 0;
    },
  };
}
