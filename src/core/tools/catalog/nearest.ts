import { distance as edits } from 'fastest-levenshtein';

/** The names that a mistyped one may have meant, best first, at most `most`. */
export function nearestNames(target: string, names: readonly string[], most = 5): string[] {
  const parts = words(target);
  return names
    .map((name) => ({ name, distance: distance(target, name, parts) }))
    .filter(({ distance }) => distance < 0.75)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ name }) => name);
}

/** 0: equal, 1: nothing in common. */
function distance(target: string, name: string, wantedWords: ReadonlySet<string>): number {
  const nameWords = words(name);
  const shared = [...wantedWords].filter((word) => nameWords.has(word)).length;
  const byWords = 1 - shared / Math.max(1, Math.min(wantedWords.size, nameWords.size));
  const a = target.toLowerCase().slice(0, 128);
  const b = name.toLowerCase().slice(0, 128);
  return Math.min(0.1 + byWords, edits(a, b) / Math.max(1, a.length, b.length));
}

function words(text: string): Set<string> {
  return new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  );
}
