import type { ServerDraft } from '../../../contract/mcp';
import { openHeaders, redactText, secretArgParts, secretParts } from '../../foundation';

interface Given {
  /** What stood in the key store. */
  readonly keys: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * What a server must not repeat: the keys among what it was given, with every variable filled in. Not all that stands where a
 * key could is one (`AUTH_MODE=required`, `--key-file /home/me/key.pem`, `MAX_TOKENS=4096`), and what also stands in ordinary
 * results would be blotted out of them.
 */
export function launchSecrets(draft: ServerDraft, { keys, environment }: Given): string[] {
  const { command = '', args = [], env = {}, url = '', headers = {}, oauth = {} } = draft;
  const secrets = new Set<string>();

  function take(value: string, shortest = shortestGiven): void {
    if (isOrdinary(value.trim())) return;
    for (const form of formsOf(value)) if (form.length >= shortest && !isOrdinary(form)) secrets.add(form);
  }

  /** A list of keys, or one in quotes. */
  function takeWords(value: string): void {
    if (isOrdinary(value.trim())) return;
    for (const word of value.split(/[\s,;|'"]+/)) if (looksLikeKey(word)) take(word);
  }

  function takeNamed(name: string, value: string): void {
    if (fieldsOf(value) === null) {
      if (namesSecret(name) || hasKeyShape(value)) take(value);
      if (namesSecret(name) || speaksOfSecret(name)) takeWords(value);
      if (/webhook/i.test(name)) takeFolders(value);
    }
    takeInside(value);
  }

  function takeParts(text: string, parts = secretParts({ text, place: '' })): void {
    for (const { start, end, name } of parts) {
      const value = text.slice(start, end);
      // A whole of named parts, as the value of a flag.
      if (value !== text && fieldsOf(value) !== null) takeInside(value);
      else if (name.length < 2 || namesSecret(name) || hasKeyShape(value)) take(value);
      if (speaksOfSecret(name)) takeWords(value);
    }
  }

  /** What is a key within it, whatever it is called as a whole. */
  function takeInside(value: string): void {
    takeParts(value);
    for (const [name, field] of Object.entries(fieldsOf(value) ?? {}))
      if (typeof field === 'string') takeNamed(name, field);
  }

  /** Some give out addresses with a key for a folder. */
  function takeFolders(address: string): void {
    if (!/^https?:/i.test(address)) return;
    for (const folder of foldersOf(address)) if (looksLikeKey(folder)) take(folder);
  }

  for (const value of keys) {
    if (fieldsOf(value) === null) take(value, shortestAsked);
    takeInside(value);
  }
  for (const [name, value] of Object.entries(env)) takeNamed(name, value);
  for (const [name, value] of Object.entries(headers)) if (!openHeaders.test(name)) takeNamed(name, value);
  for (const value of [oauth.clientSecret, oauth.privateKey]) if (value !== undefined) take(value);
  for (const [at, arg] of args.entries()) takeParts(arg, secretArgParts(args, at));
  for (const text of [command, url]) takeInside(text);
  for (const [at, arg] of args.entries()) if (/^(?!-)|webhook/i.test(args[at - 1] ?? '')) takeFolders(arg);
  takeFolders(url);
  // Every program gets these; a name and a password may stand in them.
  for (const [name, value = ''] of Object.entries(environment)) if (/_proxy$/i.test(name)) takeParts(value);
  return [...secrets];
}

/** Who stores a value has said that it is secret. */
const shortestAsked = 4;
/** Of the rest, what is shorter is more often a word for a choice than a key, and stands in longer words. */
const shortestGiven = 8;

const longNames =
  /(apikeys?|token|secrets?|passw(or)?ds?|passphrases?|credentials?|secret_?id|(access|account|auth|deploy|encryption|master|private|secret|service|signing|ssh|storage|webhook)key|(admin|db|ftp|imap|mail|mysql|pg|redis|root|smtp|ssh|sudo|user)pass)\d*$/;

/** By its last word, the long ones also without anything before them (`PGPASSWORD`): no `KEYBOARD`, `TOKEN_LIMIT` or `KEY_ID`; nor one that names a key of data, such as `PRIMARY_KEY`. */
function namesSecret(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return (
    (longNames.test(words) ||
      /(?<![a-z])(keys?|pass|pwd|pw|auth|authorization|authentication|cookies?|bearer|jwt|creds?|signature|sig|session|private|pat)\d*$/.test(
        words,
      )) &&
    !dataKey.test(words)
  );
}

const dataKey =
  /(?<![a-z])(primary|foreign|public|cache|sort|partition|index|idempotency|row|map|hot|next|page)[^a-z]*keys?(?![a-z])/;

/** By a word in its middle (`API_KEY_PROD`, `SECRET_KEY_BASE`): only what looks like a key is one there. */
function speaksOfSecret(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return (
    /(?<![a-z])(api[^a-z]?keys?|secrets?|tokens?|passw(or)?ds?|credentials?|creds|jwt|dsn|connection_?string)(?![a-z])/.test(
      words,
    ) &&
    !/(?<![a-z])(id|ids|limit|count|length|type|mode|host|user|name|url|uri|file|path|folder|dir|ttl)\d*$/.test(
      words,
    ) &&
    !dataKey.test(words)
  );
}

/** As the keys of known services are written. */
const hasKeyShape = (value: string): boolean => redactText(value) !== value;

/** A long word of letters and digits, or one of a known shape. */
const looksLikeKey = (value: string): boolean =>
  hasKeyShape(value) ||
  value.split(/[^A-Za-z\d]+/).some((word) => word.length >= 16 && /\d/.test(word) && /[A-Za-z]/.test(word));

/** Places, numbers, dates, versions, words: what results are made of. */
function isOrdinary(value: string): boolean {
  if (/^(~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\|https?:\/\/)/.test(value)) return true;
  if (/^[\w.*-]+(\/[\w.*-]+)+\.[a-z]{1,5}$/i.test(value)) return true;
  if (value.length < longestName && names.test(value)) return true;
  if (looksLikeKey(value)) return false;
  if (/^\d+$/.test(value)) return value.length < 8;
  const isNumber = value.length < 24 && /^[\d\s.,:;+/_%-]*$/.test(value);
  // A long one is a phrase that only this server was given.
  const isWord = value.length < 16 && words.test(value);
  const isHost = /^([a-z\d-]+\.)+[a-z]{2,}(:\d+)?$|^[a-z]+:\d+$/i.test(value);
  return isNumber || isWord || isHost || /^[^@\s:]+@([\w-]+\.)+\w+$/.test(value);
}

const longestName = 24;
/** Of fields, tables and files: `customerId`, `customer_id_2024`. */
const names = /^([a-z]+([A-Z][a-z]+)+\d{0,4}|[A-Za-z]+(_[A-Za-z]+)+(_?\d{1,4})?)$/;

const words = /^\p{L}(\p{Ll}*|\p{Lu}*)([-_./: ]\p{L}(\p{Ll}*|\p{Lu}*))*([-_. ]\d{1,2})?$/u;

/** Longer ones are looked for in pieces: a pattern must stay small. */
const longestPiece = 256;

/** Each way in which a program repeats what it has read. */
function formsOf(value: string): string[] {
  const whole = value.trim();
  const bare = whole.replace(/^(bearer|basic|token|apikey) +/i, '');
  const isPem = bare.includes('-----BEGIN');
  const lines = bare.split(isPem ? /\r?\n|\\n/ : /\r?\n/);
  const basic = /^basic +/i.test(whole) ? Buffer.from(bare, 'base64').toString('utf8') : '';
  const all = [
    ...(lines.length > 1 ? lines.filter(isKeyLine) : []),
    ...(lines.length === 1 || (!isPem && bare.length <= longestPiece) ? [bare] : []),
    ...valuesOfCookies(bare),
    ...[bare, basic].flatMap(passwordIn),
  ];
  return all.flatMap((one) => [one, decoded(one)]).flatMap(inPieces);
}

/** The lines around a private key say only what it is. */
const isKeyLine = (line: string) => line.length >= 16 && !line.startsWith('-----');

const valuesOfCookies = (text: string): string[] =>
  text.split(/; */).flatMap((cookie) => /^[\w.-]+=(=*[^=].*)$/s.exec(cookie)?.[1] ?? []);

/** Of `name:password`. */
const passwordIn = (text: string): string[] => {
  const password = /^[^\s:/"{]*:(?!\/\/)(.+)$/.exec(text)?.[1];
  return password === undefined ? [] : [password];
};

const foldersOf = (address: string): string[] =>
  address
    .replace(/^[a-z]+:\/*[^/?#]*/i, '')
    .replace(/[?#].*/s, '')
    .split('/');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fieldsOf(text: string): object | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function inPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += longestPiece) pieces.push(text.slice(at, at + longestPiece));
  return pieces;
}
