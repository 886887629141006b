import { titleOf } from './results';

export function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '');
}

export function noteLink(path: string): string {
  return `[[${path.replace(/\.md$/i, '')}]]`;
}

/** A note in a few of its own lines: its first sentence, its headings, its open tasks. */
export function gist(path: string, text: string): string {
  const lines = withoutFrontMatter(text).split(/\r?\n/);
  const first = lines.find((line) => /^[\p{L}\p{N}*_"“[]/u.test(line.trim()));
  const headings = lines.filter((line) => /^#{2,3} /.test(line)).map((line) => line.replace(/^#+ /, ''));
  const open = lines.filter((line) => /^\s*[-*] \[ \]/.test(line)).map((line) => line.trim());
  return [
    `**${titleOf(path)}** (${noteLink(path)})${first ? `: ${first.trim()}` : ''}`,
    ...(headings.length > 0 ? [`Its parts: ${headings.slice(0, 6).join(', ')}.`] : []),
    ...(open.length > 0 ? [`Still open in it:\n\n${open.slice(0, 8).join('\n')}`] : []),
  ].join('\n\n');
}
