import type { OverSession } from './over-session';

interface Watcher {
  readonly uri: string;
  onChange(): void;
}

/** Those who read a resource anew whenever the server says that it has changed. */
export interface ResourceWatchers<T> {
  follow(uri: string, signal: AbortSignal): AsyncIterable<T>;
  /** The server said so; it may name the resource within which something changed. */
  updated(uri: string): void;
}

export function createResourceWatchers<T>(
  overSession: OverSession,
  load: (uri: string, signal: AbortSignal) => Promise<T>,
): ResourceWatchers<T> {
  const watchers = new Set<Watcher>();
  return {
    async *follow(uri, signal) {
      let isStale = true;
      let wake: () => void = () => undefined;
      const watcher: Watcher = {
        uri,
        onChange() {
          isStale = true;
          wake();
        },
      };
      watchers.add(watcher);
      const onAbort = () => wake();
      signal.addEventListener('abort', onAbort);
      try {
        await overSession((connection) => connection.watchResource(uri, signal).catch(() => false), signal);
        while (!signal.aborted) {
          if (isStale) {
            isStale = false;
            yield await load(uri, signal);
          } else
            await new Promise<void>((resolve) => {
              wake = resolve;
              if (isStale || signal.aborted) resolve();
            });
        }
      } finally {
        watchers.delete(watcher);
        signal.removeEventListener('abort', onAbort);
      }
    },
    updated(uri) {
      for (const watcher of watchers)
        if (watcher.uri === uri || uri.startsWith(watcher.uri)) watcher.onChange();
    },
  };
}
