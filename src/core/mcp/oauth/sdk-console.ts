import type { Log } from '../../foundation';

const logs = new Set<Log>();
const mark = '[mcp-sdk]';

/** What the SDK has to say about a sign-in goes into the log: written to the console it would stand in a command's output. */
export function logSdkWords(log: Log): () => void {
  if (logs.size === 0) {
    const { warn } = console;
    console.warn = (...words: unknown[]) => {
      if (logs.size === 0 || typeof words[0] !== 'string' || !words[0].startsWith(mark))
        return warn(...words);
      for (const one of logs) one.info('said by the SDK', { words: words[0].slice(mark.length).trim() });
    };
    restore = () => {
      console.warn = warn;
    };
  }
  logs.add(log);
  return () => {
    logs.delete(log);
    if (logs.size === 0) restore();
  };
}

let restore: () => void = () => undefined;
