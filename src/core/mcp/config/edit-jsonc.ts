import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';

export type ConfigEdit =
  /** `undefined` takes the key away. */
  | { readonly kind: 'set'; readonly path: JSONPath; readonly value: unknown }
  | { readonly kind: 'rename'; readonly path: JSONPath; readonly name: string };

/** One change of a JSON text with comments, which stay. */
export function applyEdit(text: string, edit: ConfigEdit): string {
  if (edit.kind === 'set' && edit.value !== undefined) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
    const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol };
    return applyEdits(text, modify(text, edit.path, edit.value, { formattingOptions }));
  }
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, edit.path)?.parent;
  const key = property?.children?.[0];
  if (!property || !key) return text;
  if (edit.kind === 'set') return removeProperty(text, property);
  return text.slice(0, key.offset) + JSON.stringify(edit.name) + text.slice(key.offset + key.length);
}

/** With the comma after it or, where it is the last one, the comma before; both styles of ending a list stay valid. */
function removeProperty(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  const valueEnd = property.offset + property.length;
  const after = commaFrom(text, valueEnd);
  const leading = after === null && before ? commaFrom(text, before.offset + before.length) : null;
  const end = after === null ? valueEnd : after + 1;
  const comment = text.slice(valueEnd, after ?? valueEnd).trim();
  const start = comment === '' ? leadingSpace(text, property.offset, end) : property.offset;
  const rest =
    leading === null ? text.slice(0, start) : text.slice(0, leading) + text.slice(leading + 1, start);
  return rest + comment + text.slice(end);
}

/** Where the next token is a comma, comments left aside. */
function commaFrom(text: string, from: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : null;
}

/** The whole line goes if nothing else is on it. */
function leadingSpace(text: string, start: number, end: number): number {
  const lineStart = text.lastIndexOf('\n', start - 1);
  const isAlone =
    lineStart !== -1 &&
    text.slice(lineStart + 1, start).trim() === '' &&
    /^[ \t]*\r?\n/.test(text.slice(end));
  if (!isAlone) return start;
  return text[lineStart - 1] === '\r' ? lineStart - 1 : lineStart;
}
