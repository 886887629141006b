import { applyEdits, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';

const emptyCanvas = '{\n\t"nodes": [],\n\t"edges": []\n}\n';

export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The vault's path of a file that a node names: `./Note.md` and `/Note.md` are `Note.md`. */
export function plainPath(file: string): string {
  if (!/^[./]|\/\.?\/|\\/.test(file)) return file;
  const segments = file.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.join('/');
}

/** Put in as text: nothing else of the file is printed anew. */
export function withAppended(text: string, list: 'nodes' | 'edges', values: readonly unknown[]): string {
  if (values.length === 0) return text;
  if (text.trim() === '')
    return withAppended((text.startsWith('\uFEFF') ? '\uFEFF' : '') + emptyCanvas, list, values);
  const array = nodeAt(text, [list]);
  if (array?.type !== 'array') return edited(text, [list], values);
  const last = array.children?.at(-1);
  const at = last ? endOf(last) : array.offset + 1;
  const lineStart = last ? text.lastIndexOf('\n', last.offset) : -1;
  const isWindows = text[lineStart - 1] === '\r';
  const indent = last && lineStart !== -1 ? text.slice(lineStart - (isWindows ? 1 : 0), last.offset) : '';
  const between = last ? `,${indent.trim() === '' ? indent : ''}` : '';
  const lines = text.includes('\n');
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const printed = values
    .map((value) => JSON.stringify(value))
    .join(last ? between : lines ? `,${end}\t\t` : ',');
  return (
    text.slice(0, at) + (last || !lines ? between + printed : `${end}\t\t${printed}${end}\t`) + text.slice(at)
  );
}

/**
 * With each item of a list as `change` gives it, by its text; null for one that goes. Every other byte stays. The text is
 * read once, however many items there are.
 */
export function withItems(
  text: string,
  list: 'nodes' | 'edges',
  change: (item: string, index: number) => string | null,
): string {
  const items = nodeAt(text, [list])?.children ?? [];
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return text;
  const now = items.map((item, index) => change(text.slice(item.offset, endOf(item)), index));
  const lastKept = now.findLastIndex((item) => item !== null);
  const parts = items.map((item, index) => {
    const next = now[index] ?? null;
    if (next === null) return '';
    const between = index < lastKept ? text.slice(endOf(item), items[index + 1]?.offset) : '';
    return next + between;
  });
  return text.slice(0, first.offset) + parts.join('') + text.slice(endOf(last));
}

const endOf = ({ offset, length }: Node) => offset + length;

/** With another value in one place; every other byte stays. */
export function edited(text: string, path: JSONPath, value: unknown): string {
  const present = value === undefined ? undefined : nodeAt(text, path);
  if (!present) return applyEdits(text, modify(text, path, value, {}));
  return text.slice(0, present.offset) + JSON.stringify(value) + text.slice(endOf(present));
}

/** A value as it is written: a number may have more digits than one that was read has. */
export function writtenAt(text: string, path: JSONPath): string | null {
  const node = nodeAt(text, path);
  return node ? text.slice(node.offset, endOf(node)) : null;
}

/** Of a key that is there twice, the last one counts, as for who reads JSON. */
function nodeAt(text: string, path: JSONPath): Node | undefined {
  let node = parseTree(text);
  for (const step of path) {
    if (typeof step === 'number') node = node?.type === 'array' ? node.children?.[step] : undefined;
    else {
      const all = node?.type === 'object' ? node.children : undefined;
      node = all?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
    }
  }
  return node;
}
