import { ToolFailure } from '../../entities/base/failures';
import { findHeadings, type Heading, headingsNamed } from '../../markdown';

const mostShown = 30;

/** All that a name may mean; `Notes (2)`, or `Notes (2 of 3)`, is the second of those called `Notes`. */
export function headingsCalled(text: string, name: string): readonly Heading[] {
  const headings = headingsNamed(text, name);
  if (headings.length > 0) return headings;
  const [, plain, number] = /^(.*) \((\d+)(?: of \d+)?\)$/s.exec(name.trim()) ?? [];
  const one = plain === undefined ? undefined : headingsNamed(text, plain)[Number(number) - 1];
  return one ? [one] : [];
}

export function noHeading(path: string, text: string, heading: string, field: string): ToolFailure {
  const all = findHeadings(text).filter(({ title }) => title !== '');
  return new ToolFailure('not_found', `“${path}” has no heading “${heading}”.`, {
    field,
    hint: all.length === 0 ? 'It has none.' : `Its headings: ${namesOf(text, all)}`,
  });
}

export function severalHeadings(
  path: string,
  text: string,
  heading: string,
  headings: readonly Heading[],
): ToolFailure {
  return new ToolFailure('validation', `“${path}” has several headings “${heading}”.`, {
    field: 'section.heading',
    hint: `Name one of them: ${namesOf(text, headings)}`,
  });
}

/** Each is the whole value of a heading that means it and no other one. */
function namesOf(text: string, headings: readonly Heading[]): string {
  const all = findHeadings(text);
  const names = headings.slice(0, mostShown).map((heading) => JSON.stringify(nameOf(text, heading, all)));
  return names.join(', ');
}

function nameOf(text: string, heading: Heading, all: readonly Heading[]): string {
  const above = all.filter(({ from, to }) => from < heading.from && heading.from < to);
  const isIt = (name: string): boolean => {
    const [first, second] = headingsCalled(text, name);
    return first?.from === heading.from && !second;
  };
  const titles = [...above, heading].map(({ title }) => title);
  const paths = titles.map((_, at) => titles.slice(-1 - at).join('#'));
  const alike = headingsNamed(text, heading.title);
  const number = alike.findIndex(({ from }) => from === heading.from) + 1;
  const numbered = [`${number}`, `${number} of ${alike.length}`].map((each) => `${heading.title} (${each})`);
  return [...paths, ...numbered].find(isIt) ?? heading.title;
}
