import { ToolFailure } from '../../entities/base/failures';
import { type Splice, splice } from '../../entities/base/line-ends';
import { headingsCalled, noHeading, severalHeadings } from './headings';

export function edits(
  before: string,
  replacements: readonly { old: string; new: string }[],
  plain: (text: string) => string,
): readonly Splice[] {
  let text = before;
  return replacements.map((edit, index) => {
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
    const step = { from: at, to: at + old.length, text: plain(edit.new) };
    text = splice(text, [step]);
    return step;
  });
}

/** The blank lines around the text of a section stay. */
export function section(path: string, text: string, heading: string, content: string): Splice {
  const all = headingsCalled(text, heading);
  const [place, second] = all;
  if (!place) throw noHeading(path, text, heading, 'section.heading');
  if (second) throw severalHeadings(path, text, heading, all);
  const old = text.slice(place.bodyFrom, place.to);
  const body = content.replace(/^\n+/, '').trimEnd();
  const [start] = /^(?:[ \t]*\n){2,}/.exec(old) ?? ['\n\n'];
  const least = place.to < text.length ? '\n\n' : '\n';
  const present = old.slice(old.trimEnd().length);
  const end = old.trim() !== '' && present.split('\n').length >= least.length + 1 ? present : least;
  return {
    from: place.bodyFrom,
    to: place.to,
    text: body === '' ? least : start + body + end,
  };
}

export function addition(text: string, added: string): Splice {
  const put = text === '' || text.endsWith('\n') ? added : `\n${added}`;
  return { from: text.length, to: text.length, text: put };
}
