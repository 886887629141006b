import { codeSpans, indexWithin, isInside } from '../inline-code';
import type { Role, TagNames } from '../model';

export interface RoleTag {
  readonly role: Role | 'new-chat';
  /** Nobody here has such a tag: it has the form in which the app writes the head of an answer, and no more is known. */
  readonly isKnown: boolean;
  /** Whether nothing but marks, or a new chat, stands before it on its line. */
  readonly opensLine: boolean;
  /** As written, without `#`. */
  readonly tag: string;
  /** Offset of the `#`. */
  readonly from: number;
  /** After the tag, the colon and the blanks around it. */
  readonly contentFrom: number;
  /** Where the message before it ends: the line's start if nothing but marks stands before the tag. */
  readonly boundary: number;
}

export type RoleOf = (tag: string, colon: 'colon' | 'none') => Role | 'new-chat' | undefined;

const tagName =
  /(?:[\p{L}\p{M}\p{N}_\-/\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]|\u200D|\uFE0F|\u20E3)+/uy;
const lineMarks = /[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?/y;
const afterTag = /[ \t]*[:：]?[ \t]*/y;
const spacedColon = /[ \t]+[:：]/y;
const spacedColonOrEnd = /^[ \t]*(?:$|[ \t][:：])/;
/** What no line mark has. */
const noMark = /[^\s#*+\-\d.)[\]xX]/;
const anyColon = /[ \t]*[:：]/y;
/** Behind an answer's tag, as the app writes it or completes it; `#key:value` is none. */
const headColon = /[ \t]*：|[ \t]+:|:(?=\s|$)/y;
const numberOfSeveral = /(?<=\D)\d+$/;

/** Whole tag first, then its first path segment, without regard to case. */
export function createRoleOf(names: TagNames): RoleOf {
  const roles = new Map<string, Role | 'new-chat'>();
  const add = (role: Role | 'new-chat', list: readonly string[]): void => {
    for (const name of list) if (!roles.has(fold(name))) roles.set(fold(name), role);
  };
  // One name in two lists: the first list here wins.
  add('new-chat', names.newChat);
  add('user', names.user);
  add('assistant', names.assistant);
  add('system', names.system);
  add('assistant', names.former ?? []);
  return (tag, colon) => {
    const whole = fold(tag);
    const role = roles.get(whole) ?? roles.get(whole.split('/', 1)[0] ?? whole);
    return role ?? (colon === 'colon' && isGivenTag(tag, names) ? 'assistant' : undefined);
  };
}

/** Whether the app gives such a tag by itself: one of several has a number behind it. */
export function isGivenTag(tag: string, { given = [] }: Pick<TagNames, 'given'>): boolean {
  const name = fold(tag.split('/', 1)[0] ?? tag).replace(numberOfSeveral, '');
  return given.some((one) => fold(one) === name);
}

/**
 * The tags of one line that open a message or a new chat. A tag that nobody here has is one at the start of a line with
 * a colon behind it: what was said under it may be a model's of another time or place, so it is read as a model's.
 */
export function roleTagsIn(text: string, from: number, to: number, roleOf: RoleOf): RoleTag[] {
  let at = indexWithin(text, '#', from, to);
  if (at === -1) return [];
  const tags: RoleTag[] = [];
  const code = codeSpans(text, from, to);
  let start = endOf(lineMarks, text, from);
  let lastBoundary = from;
  for (; at !== -1; at = indexWithin(text, '#', at + 1, to)) {
    if (at > from && !/\s/.test(text[at - 1] ?? '')) continue;
    const end = endOf(tagName, text, at + 1);
    const tag = text.slice(at + 1, end);
    if (!isTag(tag)) continue;
    const begins = at === start;
    const ownRole = roleOf(tag, endOf(anyColon, text, end) === end ? 'none' : 'colon');
    const role = ownRole ?? (begins && endOf(headColon, text, end) !== end ? 'assistant' : undefined);
    if (!role) continue;
    if (!begins && endOf(spacedColon, text, end) === end) continue;
    if (isInside(code, at)) continue;
    const contentFrom = endOf(afterTag, text, end);
    const boundary = begins ? lastBoundary : at;
    const isKnown = ownRole !== undefined;
    tags.push({ role, isKnown, opensLine: begins, tag, from: at, contentFrom, boundary });
    if (role === 'new-chat' && begins) {
      start = contentFrom;
      lastBoundary = contentFrom;
    }
    at = end - 1;
  }
  return tags;
}

/** Whether a tag there stands within its line, behind more than marks. */
export function isWithinLine(text: string, at: number): boolean {
  return endOf(lineMarks, text, text.lastIndexOf('\n', at - 1) + 1) !== at;
}

/** For whom any tag may be somebody's. */
export const anybody: RoleOf = () => 'user';

/**
 * The first `#` of a line that goes on, from `from`, which could still open a message for anybody; the line's length if
 * there is none.
 */
export function possibleTag(line: string, from: number): number {
  for (let at = line.indexOf('#', from); at !== -1; at = line.indexOf('#', at + 1)) {
    if (at > 0 && !/\s/.test(line[at - 1] ?? '')) continue;
    const end = endOf(tagName, line, at + 1);
    if (end === line.length) return at;
    if (!isTag(line.slice(at + 1, end))) continue;
    if (!noMark.test(line.slice(0, at)) || spacedColonOrEnd.test(line.slice(end))) return at;
  }
  return line.length;
}

const isTag = (tag: string) => /[^\p{Nd}]/u.test(tag);

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
