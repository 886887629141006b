import { createTwoFilesPatch } from 'diff';

export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  // Texts that have nothing in common take a search for the shortest diff long; nobody needs the shortest one then.
  const patch = createTwoFilesPatch(path, path, before, after, '', '', { context: 2, timeout: 200 });
  return (
    patch?.replace(/^(?:Index: .*\n)?=+\n/, '') ??
    `--- ${path}\n+++ ${path}\n${oneHunk(before.split('\n'), after.split('\n'))}`
  );
}

function oneHunk(before: readonly string[], after: readonly string[]): string {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const head = `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`;
  return [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join('\n');
}
