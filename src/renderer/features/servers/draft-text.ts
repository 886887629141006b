import type { ServerDraft } from '../../../contract/mcp';

/** `NAME=value`, one a line, as an object; the lines that are not of that form. */
export function readPairs(text: string): { values: Record<string, string>; wrong: string[] } {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, name, value] = /^([^\s=:]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) wrong.push(line);
    else values[name] = value;
  }
  return { values, wrong };
}

export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The program with its arguments, or the address, as one would type it. */
export function draftTarget(draft: ServerDraft): string {
  if (draft.url !== undefined) return draft.url;
  const quoted = (word: string) => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word));
  return [draft.command ?? '', ...(draft.args ?? [])].map(quoted).join(' ');
}
