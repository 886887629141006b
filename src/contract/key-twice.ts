import { visit } from 'jsonc-parser';

/** Of two values under one key JSON keeps the last one, unsaid. */
export function keyTwice(text: string): string | null {
  const open: Set<string>[] = [];
  let twice: string | null = null;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectProperty: (name) => {
      const names = open.at(-1);
      if (names?.has(name)) twice ??= name;
      names?.add(name);
    },
    onObjectEnd: () => void open.pop(),
  });
  return twice;
}
