import { headingsNamed } from '../../markdown';
import { ToolFailure } from '../failures';
import { type Splice, splice } from '../line-ends';
import { noHeading } from './read-docs';

export function edits(
  before: string,
  wanted: readonly { old: string; new: string }[],
  plain: (text: string) => string,
): readonly Splice[] {
  let text = before;
  return wanted.map((edit, index) => {
    const old = plain(edit.old);
    const at = text.indexOf(old);
    const field = `edits.${index}.old`;
    if (at === -1) {
      throw new ToolFailure('not_found', `Edit ${index + 1}: the old text does not occur.`, {
        field,
        hint: 'It must match exactly, blanks and line breaks included. Nothing was changed.',
      });
    }
    if (text.indexOf(old, at + 1) !== -1) {
      throw new ToolFailure('validation', `Edit ${index + 1}: the old text occurs more than once.`, {
        field,
        hint: 'Take more of the text around it. Nothing was changed.',
      });
    }
    const made = { from: at, to: at + old.length, text: plain(edit.new) };
    text = splice(text, [made]);
    return made;
  });
}

export function section(path: string, text: string, heading: string, content: string): Splice {
  const [found, second] = headingsNamed(text, heading);
  if (!found) throw noHeading(path, text, heading, 'section.heading');
  if (second) {
    throw new ToolFailure('validation', `“${path}” has several headings “${heading}”.`, {
      field: 'section.heading',
      hint: 'Name the one above it, too: "Part#Chapter".',
    });
  }
  const end = found.to < text.length ? '\n\n' : '\n';
  const body = content.replace(/^\n+/, '').trimEnd();
  const put = `\n${body === '' ? '' : `\n${body}`}${body === '' ? end.slice(1) : end}`;
  return { from: found.bodyFrom, to: found.to, text: put };
}

export function addition(text: string, added: string): Splice {
  const put = text === '' || text.endsWith('\n') ? added : `\n${added}`;
  return { from: text.length, to: text.length, text: put };
}
