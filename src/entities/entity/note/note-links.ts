import { createLinkTargets, findLinks, type LinkTargets, type NoteLink } from '../../../markdown';
import type { Move } from '../../store/batch/links';
import { idInName } from './taken';

/** What the links of one text say, without what else stands there: enough to tell whether one may lead to a note. */
export function linkWords(text: string): string {
  let words = '';
  for (const [, wiki, address] of text.matchAll(/\[\[([^[\]\n]{1,300})\]\]|\]\(([^()\n]{1,600})\)/g))
    words += `${wiki ?? address}\n`;
  return words;
}

/** Tells by its words whether a text may have links to one of these notes. */
export function mayLinkTo(paths: readonly string[]): (words: string) => boolean {
  const parts = paths.map((path) => (nameOf(path).match(/[a-z0-9-]+/gi) ?? []).toSorted(longer)[0] ?? '');
  return (words) => {
    const lower = words.toLowerCase();
    return parts.some((part) => lower.includes(part.toLowerCase()));
  };
}

const longer = (a: string, b: string) => b.length - a.length;
const nameOf = (path: string) => withoutEnding(path.slice(path.lastIndexOf('/') + 1));
const withoutEnding = (path: string) => path.replace(/\.(?:md|markdown)$/i, '');
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * The links of a text lead to what they led to, wherever it is now: `from` is where the text was, `to` where it is. A
 * link by the mere name of a note that is archived goes by its path from then on, if its name has no id in it, until it
 * comes back: another note may get that name.
 */
export function linkFollower(paths: readonly string[], moves: readonly Move[]) {
  const [before, after] = [createLinkTargets(), createLinkTargets()];
  const now = new Map(moves.map(({ from, to }) => [from, to]));
  for (const path of paths) {
    before.add(path);
    after.add(now.get(path) ?? path);
  }
  return (text: string, from: string, to: string): string => {
    let led = '';
    let at = 0;
    for (const link of findLinks(text).toSorted((a, b) => a.from - b.from)) {
      const linkedPath = link.target === '' ? null : before.find(link.target, from);
      if (linkedPath === null) continue;
      const target = now.get(linkedPath) ?? linkedPath;
      const isKept = after.find(link.target, to) === target;
      if (isKept && !(isMereName(link.target) && isArchived(linkedPath, now.get(linkedPath)))) continue;
      const source = text.slice(link.from, link.to);
      led +=
        text.slice(at, link.from) +
        rewritten(source, link, {
          linkedPath,
          target,
          from,
          to,
          after,
          bar: barAt(text, link.from),
        });
      at = link.to;
    }
    return led + text.slice(at);
  };
}

/** What stands before a link's words: in a row of a table a bar by itself would end the cell. */
const barAt = (text: string, at: number) =>
  /^[ \t]*\|/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at)) ? '\\|' : '|';

const isMereName = (target: string) => !target.includes('/');

function isArchived(from: string, to: string | undefined): boolean {
  return to?.includes('/archive/') === true && !from.includes('/archive/') && idInName(from) === null;
}

interface Step {
  readonly linkedPath: string;
  readonly target: string;
  /** The note of the link, before and now. */
  readonly from: string;
  readonly to: string;
  readonly after: LinkTargets;
  readonly bar: string;
}

function rewritten(source: string, link: NoteLink, step: Step): string {
  const hasEnding = /\.(?:md|markdown)$/i.test(link.target);
  const wiki = /^(!?\[\[)([^|#\]]*?)((?:#[^|\]]*?)?)((?:\\?\|[\s\S]*)?)(\]\])$/.exec(source);
  const way = wayTo(link.target, step);
  if (wiki) {
    const [, open = '', , place = '', label = '', close = ''] = wiki;
    const name = nameOf(step.target);
    if (
      label.replace(/^\\/, '') === `|${name}` &&
      step.after.find(name, step.to) === step.target &&
      !isArchived(step.linkedPath, step.target)
    )
      return `${open}${name}${place}${close}`;
    const path = hasEnding ? way : withoutEnding(way);
    // What such a link can't name, or would make more of than a name, stays as it was written.
    if (/[#|[\]^]/.test(path)) return source;
    const isReworded = isMereName(link.target) && label === '' && place === '' && link.kind === 'link';
    return `${open}${path}${place}${isReworded ? step.bar + link.target : label}${close}`;
  }
  const start = source.lastIndexOf('](') + 2;
  const address = /^(\s*)(?:<([^<>]*)>|([^\s)]*))/.exec(source.slice(start));
  if (start === 1 || !source.endsWith(')') || !address) return source;
  const [{ length }, blanks = '', marked, plain = ''] = address;
  const open = source.slice(0, start) + blanks;
  const end = source.slice(start + length);
  const path = hasEnding ? way : withoutEnding(way);
  const place = /#.*/s.exec(marked ?? plain)?.[0] ?? '';
  return `${open}${marked === undefined ? encoded(path) + place : `<${path}${place}>`}${end}`;
}

const encoded = (path: string) =>
  encodeURI(path).replace(/[()#?]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** From the folder of the note where it was written so, else from that of the vault. */
function wayTo(address: string, { linkedPath, target, from, to, after }: Step): string {
  const plain = withoutEnding(address.replace(/^\/+/, '')).toLowerCase();
  const isFromRoot = plain === withoutEnding(linkedPath).toLowerCase();
  const isFromFolder =
    plain === withoutEnding(relative(folderOf(from), linkedPath)).toLowerCase() || /^\.\.?\//.test(address);
  if (isFromRoot || !isFromFolder || isMereName(address)) return target;
  const near = relative(folderOf(to), target);
  return after.find(near, to) === target ? near : target;
}

function relative(folder: string, path: string): string {
  const [way, goal] = [folder === '' ? [] : folder.split('/'), path.split('/')];
  let same = 0;
  while (same < way.length && same < goal.length - 1 && way[same] === goal[same]) same++;
  return [...way.slice(same).map(() => '..'), ...goal.slice(same)].join('/');
}
