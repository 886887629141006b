import { secretShapes } from './redact';
import { isReference } from './references';
import { openHeaders } from './secret-names';

const secretName = /(key|token|secret|passw|passphrase|pwd|auth|credential|cookie|signature)/i;
/** Too short to mean a secret as a part of another word. */
const shortName = /^(pass|pw|sig|code)$/i;
const shortFlag = /^--?(pass|pw|pat|bearer|jwt|session|creds?)$/i;
/** What they take is `name:password`. */
const userFlag = /^(-[uU]|--(proxy-)?user)$/;
/** They mean many things, of which only a key looks like one: password or port, token or type. */
const oneLetter = /^-[bkpPt]$/;

/** A part of a text that is a secret: by what names it, or by its own look. */
export interface SecretPart {
  readonly start: number;
  readonly end: number;
  /** What it is called in the key store, after its server. */
  readonly name: string;
}

interface Words {
  readonly text: string;
  /** Of what nothing names. */
  readonly place: string;
  /** The flag before it. */
  readonly flag?: string;
}

/**
 * The one place that decides what in the words of a server is a secret: what is hidden wherever it is shown is what goes into the
 * key store when a person writes it.
 */
export function secretParts({ text, place, flag = '' }: Words): SecretPart[] {
  const candidates = [...byFlag(text, flag), ...byName(text), ...byLook(text, place)];
  const covered = new Uint8Array(text.length);
  const parts = candidates.filter(({ start, end }) => {
    if (start >= end || covered.subarray(start, end).includes(1) || isReference(text.slice(start, end)))
      return false;
    covered.fill(1, start, end);
    return true;
  });
  return parts.sort((a, b) => a.start - b.start);
}

export const secretArgParts = (args: readonly string[], at: number): SecretPart[] =>
  secretParts({ text: args[at] ?? '', place: `argument-${at + 1}`, flag: args[at - 1] ?? '' });

/** Every secret of it in other words. */
export function withParts(
  text: string,
  parts: readonly SecretPart[],
  write: (part: SecretPart, value: string) => string,
): string {
  let result = '';
  let end = 0;
  for (const part of parts) {
    result += text.slice(end, part.start) + write(part, text.slice(part.start, part.end));
    end = part.end;
  }
  return result + text.slice(end);
}

const hidden = () => '•••';

/** What looks like a secret is hidden. */
export const maskedArgs = (args: readonly string[]): string[] =>
  args.map((arg, at) => withParts(arg, secretArgParts(args, at), hidden));

export const maskedText = (text: string): string =>
  withParts(text, secretParts({ text, place: 'value' }), hidden);

/** An address as it may be shown, however it is written: also one that is none because of what stands in it. */
export function maskedAddress(text: string): string {
  const url = webAddress(text);
  if (url === null)
    return maskedText(text.replace(/^([a-z][\w+.-]*:[/\\]+(?![/\\]))?.*(?:@|%(?:25)*40)/is, '$1•••@'));
  if (!url.username && !url.password) return maskedText(text);
  return maskedText(`${url.protocol}//•••@${url.host}${url.pathname}${url.search}${url.hash}`);
}

/** Whether a name, a password or a key stands in an address, where it would be sent and shown with it. */
export function isSecretInAddress(text: string): boolean {
  const url = webAddress(text);
  if (url === null ? /@|%(?:25)*40/.test(text) : url.username || url.password || text.includes(hidden()))
    return true;
  const rest = /[?#;].*/s.exec(text)?.[0] ?? '';
  return secretParts({ text: rest, place: 'address' }).length > 0;
}

/** Null also where a name and a password only came to stand behind the host. */
function webAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && !/:[^/:@]*@/.test(url.pathname) ? url : null;
}

/** After a flag that says so; what a header flag takes is a header. */
function byFlag(text: string, before: string): SecretPart[] {
  if (!before.startsWith('-') || before.includes('=')) return [];
  if (/^(-H|--headers?)$/.test(before)) return headerIn(text, 0, true);
  if (/^-(?!----BEGIN)/.test(text)) return [];
  if (userFlag.test(before)) return passwordIn(text, 0);
  if (oneLetter.test(before) && (isKeyWord(text) || isCookie(before, text)))
    return [from(text, 0, before.slice(1))];
  if (!secretName.test(before) && !shortFlag.test(before)) return [];
  return [from(text, 0, before.replace(/^-+/, ''))];
}

/** `--flag=value`, `NAME=value`, `Name: value`, each also as the value of a flag. */
function byName(text: string): SecretPart[] {
  const [short, joined] = [text.slice(0, 2), text.slice(2)];
  if (oneLetter.test(short) && isKeyWord(joined)) return [from(text, 2, short.slice(1))];
  if (/^-[uU][^-:]*:./.test(text) && looksLikeKey(text.slice(text.indexOf(':')))) return passwordIn(text, 2);
  const flag = /^(--?[\w.-]+)=/.exec(text);
  if (flag?.[1] !== undefined && userFlag.test(flag[1])) return passwordIn(text, flag[0].length);
  if (flag?.[1] !== undefined && (secretName.test(flag[1]) || shortFlag.test(flag[1])))
    return [from(text, flag[0].length, flag[1].replace(/^-+/, ''))];
  const at = flag?.[0].length ?? (/^-[eH]/.test(text) ? 2 : 0);
  if (/^(-H|--headers?=)/.test(text)) return headerIn(text, at, true);
  const variable = /^([A-Za-z_][\w.]*)=/.exec(text.slice(at));
  if (variable?.[1] !== undefined && secretName.test(variable[1]))
    return [from(text, at + variable[0].length, variable[1])];
  return headerIn(text, at, false);
}

function headerIn(text: string, at: number, isHeader: boolean): SecretPart[] {
  const [whole, name = ''] =
    /^\s*([\w-]+)\s*:(?!\/\/)\s*((bearer|basic|token)\s+)?/i.exec(text.slice(at)) ?? [];
  if (whole === undefined) return [];
  const isSecret = isHeader ? !openHeaders.test(name) : secretName.test(name);
  return isSecret ? [from(text, at + whole.length, name)] : [];
}

const inline: readonly RegExp[] = [
  // An address’s query, a connection string.
  /[?&;#](?<name>[\w.~%-]+)=(?<value>[^&;#\s"']+)/g,
  // A connection string of words.
  /(?<=[\s;])(?<name>[\w.-]+)\s*=\s*(?<value>'[^']*'|[^\s;'"()]+)/g,
  // A query without names.
  /[?&](?<value>[^?&;#=\s"']{16,})(?![^&#\s"'])/g,
  // JSON.
  /"(?<name>[\w.-]+)"\s*:\s*"(?<value>(?:[^"\\]|\\.)*)"/g,
];
/** A name alone before an `@` is who somebody is, but not in an address of the web. */
const userInfo = /(?<![\w+.-])[\d_+.-]*(?<scheme>[a-z][\w+.-]*):\/\/(?<who>[^/\s?#]+)@/gi;
/** That an `@` follows is looked at once for a whole word, not again at each `=` in it. */
const bareUserInfo =
  /(?<![^\s@/])(?=[^\s@/]+@[\w[(.-])(?:(?<![@/])|[^\s@/]*?=)(?<who>(?!(?:npm|jsr|file|workspace|git|github):)[\w.+-]+:[^\s@/]+)@/g;

/** As it is read by who gets it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A long word of letters and digits. */
const looksLikeKey = (value: string): boolean =>
  decoded(value)
    .split(/[^A-Za-z\d]+/)
    .some((word) => word.length >= 16 && /\d/.test(word) && /[A-Za-z]/.test(word));

/** Nothing but a key: no path, host, image or version. */
const isKeyWord = (text: string): boolean => /^[\w+~-]{16,}={0,2}$/.test(text) && looksLikeKey(text);

/** As `curl -b` takes it. */
const isCookie = (before: string, text: string): boolean =>
  before === '-b' && /^[\w.-]+=/.test(text) && looksLikeKey(text);

/** Of `name:password`, but not of the numbers of a user and a group. */
function passwordIn(text: string, start: number): SecretPart[] {
  const at = text.indexOf(':', start);
  return at === -1 || /^\d+:\d+$/.test(text.slice(start)) ? [] : [from(text, at + 1, 'password')];
}

/** In the middle of a text, and what looks like a key wherever it stands. */
function* byLook(text: string, place: string): Generator<SecretPart> {
  for (const { groups = {}, index, 0: whole } of text.matchAll(userInfo)) {
    const { scheme = '', who = '' } = groups;
    if (!/^https?$/i.test(scheme) && !who.includes(':') && who.length < 16) continue;
    const start = index + whole.length - 1 - who.length;
    yield { start, end: start + who.length, name: 'password' };
  }
  for (const { groups = {}, index, 0: whole } of text.matchAll(bareUserInfo)) {
    const { who = '' } = groups;
    const end = index + whole.length - 1;
    yield { start: end - who.length, end, name: 'password' };
  }
  for (const pattern of inline)
    for (const { groups = {}, index, 0: whole } of text.matchAll(pattern)) {
      const { name = '', value = '' } = groups;
      const plainName = decoded(name);
      const isOfQuery = /^[?&#]/.test(whole);
      if (!secretName.test(plainName) && !shortName.test(plainName) && !(isOfQuery && looksLikeKey(value)))
        continue;
      const start = index + whole.lastIndexOf(value);
      yield { start, end: start + value.length, name: name || place };
    }
  for (const { start, end } of secretShapes(text)) yield { start, end, name: place };
}

const from = (text: string, start: number, name: string): SecretPart => ({ start, end: text.length, name });
