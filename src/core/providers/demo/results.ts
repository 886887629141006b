import { isObject } from '../format';

export interface ListedNote {
  readonly path: string;
  readonly title: string;
}

/** Notes named in a listing: JSON of any shape with paths, or text with one a line. */
export function listedNotes(result: string): ListedNote[] {
  const notes = new Map<string, ListedNote>();
  const take = (path: string, title: string) => {
    if (/\.(md|markdown|txt)$/i.test(path) && !notes.has(path)) notes.set(path, { path, title });
  };
  const value = parsed(result);
  if (value !== undefined) {
    visit(value, (item) => {
      const path = item.path ?? item.name ?? item.file;
      if (typeof path === 'string') take(path, typeof item.title === 'string' ? item.title : titleOf(path));
    });
    if (Array.isArray(value))
      for (const item of value) if (typeof item === 'string') take(item, titleOf(item));
  }
  if (notes.size === 0)
    for (const [, quoted, plain] of result.matchAll(
      /"([^"\n]+\.md)"|(?:\[FILE\]\s{0,20}|^[-*\s]{0,20})([^\n"[\]]{1,300}?\.md)\b/gm,
    ))
      take((quoted ?? plain ?? '').trim(), titleOf(quoted ?? plain ?? ''));
  return [...notes.values()];
}

/** The text of the notes in a result: what stands under a name for text in JSON, else the result itself. */
export function notesRead(result: string): { path: string | null; text: string }[] {
  const value = parsed(result);
  if (value === undefined) {
    const cut = /"(?:text|content)"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(result)?.[1];
    return [{ path: null, text: cut === undefined ? result : unescaped(cut) }];
  }
  const texts: { path: string | null; text: string }[] = [];
  visit(value, (item) => {
    const text = item.text ?? item.content ?? item.body ?? item.markdown;
    if (typeof text === 'string')
      texts.push({ path: typeof item.path === 'string' ? item.path : null, text });
  });
  return texts.length > 0 ? texts : [{ path: null, text: result }];
}

/** The plain words of an error: the message inside JSON, else the text. */
export function errorWords(result: string): string {
  const value = parsed(result);
  const inner = isObject(value) ? (isObject(value.error) ? value.error : value) : {};
  const message = typeof inner.message === 'string' ? inner.message : result;
  return message.split('\n')[0]?.slice(0, 300) ?? '';
}

export function titleOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.\w+$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function visit(value: unknown, see: (item: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (isObject(value)) {
    see(value);
    for (const item of Object.values(value)) visit(item, see);
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\$/, '')}"`);
  } catch {
    return text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  }
}
