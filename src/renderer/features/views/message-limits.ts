/** Messages a second that a view may send for long, and how many at once. */
const perSecond = 100;
const burst = 300;
/** Characters of one message; one that brings files may have more, and counts as many. */
const largest = 1_000_000;
const largestWithFiles = 24_000_000;
const charactersOfOne = 250_000;
const mostParts = 100_000;
const deepest = 64;

export type Verdict = 'good' | 'too-large' | 'too-many';

/** Counts what one frame sends. */
export function createMessageLimits(now: () => number): (message: unknown) => Verdict {
  let room = burst;
  let at = now();
  return (message) => {
    const present = now();
    room = Math.min(burst, room + ((present - at) / 1000) * perSecond);
    at = present;
    if (room < 1) return 'too-many';
    const size = sizeOf(message);
    if (size === null) return 'too-large';
    room -= 1 + Math.floor(size / charactersOfOne);
    return 'good';
  };
}

/** In characters; null: too much. Looks at no more than it has to, since a frame decides how much there is. */
function sizeOf(message: unknown): number | null {
  const hasFiles = (message as { method?: unknown } | null | undefined)?.method === 'ui/download-file';
  const most = hasFiles ? largestWithFiles : largest;
  let characters = 0;
  let parts = 0;
  const open: { value: unknown; depth: number }[] = [{ value: message, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (++parts > mostParts || depth > deepest) return null;
    if (typeof value === 'string') characters += value.length;
    // What is no plain data has no place in a message; its size cannot be seen from here.
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Blob) return null;
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        characters += key.length;
        open.push({ value: inner, depth: depth + 1 });
        if (open.length > mostParts) return null;
      }
    }
    if (characters > most) return null;
  }
  return characters;
}
