import { connection } from './connected';

const holders = new Set<() => boolean>();

globalThis.window?.addEventListener('beforeunload', (event) => {
  if ([...holders].some((isThere) => isThere())) event.preventDefault();
});

/** The page asks before it goes as long as `isThere` says that something is nowhere but in it. Returns the end of that. */
export function askBeforeLosing(isThere: () => boolean): () => void {
  // The same question may be asked by several, and ends with each of them.
  const own = () => isThere();
  holders.add(own);
  return () => void holders.delete(own);
}

/** What a person has done waits in this window while the app is away, and goes with it. */
export async function untilSent<T>(sending: Promise<T>): Promise<T> {
  const end = askBeforeLosing(() => !connection.isThere);
  try {
    return await sending;
  } finally {
    end();
  }
}
