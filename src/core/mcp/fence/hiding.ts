import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { hidden, hideKnown, withoutAnsi } from '../../foundation';
import { bytesOf } from './base64';
import { withFaultTexts } from './fault-texts';
import { ProgramError } from './program-error';

/** Takes what a server must not repeat out of everything that it says, before anybody else reads it. */
export interface Hiding {
  text(words: string): string;
  /** Every text in it that is for a reader. What goes back to the server stays as it is. */
  message(message: JSONRPCMessage): JSONRPCMessage;
  /** The same error in other words, and so whatever caused it. */
  error(error: Error): Error;
}

export function createHiding(secrets: readonly string[]): Hiding {
  if (secrets.length === 0)
    return { text: (words) => words, message: (message) => message, error: (error) => error };

  const text = (words: string) => search(withoutAnsi(words));
  const search = (plain: string) =>
    plain.length * secrets.length > mostSearched ? literal(plain) : hideKnown(plain, secrets);
  /** In the form in which it was given, however large the text is. */
  const literal = (words: string) =>
    secrets.reduce((result, secret) => result.replaceAll(secret, hidden), words);
  const bytes = createByteHiding(secrets);

  /** All texts of it at once: a search begins once, however many they are. The same value where there is nothing to hide. */
  function value<T>(whole: T): T {
    const texts: string[] = [];
    const blobs: string[] = [];
    let isPlain = true;
    walk(
      whole,
      'message',
      (one) => {
        const plain = withoutAnsi(one);
        isPlain &&= plain === one;
        texts.push(plain);
        return one;
      },
      (one) => {
        const hiddenBlob = bytes(one);
        isPlain &&= hiddenBlob === one;
        blobs.push(hiddenBlob);
        return one;
      },
    );
    const joined = texts.join(between);
    const result = search(joined);
    if (isPlain && result === joined) return whole;
    const parts = result.split(between);
    const replacements = (parts.length === texts.length ? parts : texts.map(search)).values();
    const shownBlobs = blobs.values();
    return walk(
      whole,
      'message',
      () => replacements.next().value ?? '',
      () => shownBlobs.next().value ?? '',
    ) as T;
  }

  function hideInError(error: Error, depth = 0): Error {
    for (const part of ['message', 'stack'] as const) {
      const original = error[part] ?? '';
      const result = text(original);
      // Of some errors it is read only.
      if (result !== original) Object.defineProperty(error, part, { value: result, configurable: true });
    }
    if (error instanceof ProgramError) error.fault = withFaultTexts(error.fault, text);
    if (error.cause instanceof Error && depth < deepestCause) hideInError(error.cause, depth + 1);
    return error;
  }

  return {
    text,
    message(message) {
      if ('method' in message)
        return message.params === undefined ? message : { ...message, params: value(message.params) };
      if ('error' in message) return { ...message, error: value(message.error) };
      const { nextCursor, requestState, ...rest } = message.result;
      const back = {
        ...(nextCursor !== undefined && { nextCursor }),
        ...(requestState !== undefined && { requestState }),
      };
      return { ...message, result: { ...value(rest), ...back } } as JSONRPCMessage;
    },
    error: hideInError,
  };
}

const deepestCause = 6;
/** Characters times secrets that are searched for all the forms of a secret; beyond that it would take others' time. */
const mostSearched = 20_000_000;
/** In no text that anybody writes; where it is, each text is searched by itself. No wide sign: those cost twice the memory. */
const between = '\u0000\u0001\u0000';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Bytes as base64: of a picture, a sound, a resource. */
const isBlob = (name: string, of: Fields) =>
  name === 'blob' || (name === 'data' && (of.type === 'image' || of.type === 'audio'));

/** Of these, names and schemas go back to the server as they are. An address of a resource with a key in it is not for use. */
const described = new Set(['tools', 'prompts', 'tasks', 'requestedSchema']);
const shownOfIt = new Set(['title', 'description', '$comment']);

type Place = 'message' | 'description' | 'content';

/** The same value with other texts, each asked for in the same order; itself where all of them stay. */
function walk(
  value: unknown,
  place: Place,
  onText: (text: string) => string,
  onBlob: (base64: string) => string,
): unknown {
  const isDescription = place === 'description';
  if (typeof value === 'string') return isDescription ? value : onText(value);
  if (Array.isArray(value)) {
    let items: unknown[] | null = null;
    for (const [at, item] of value.entries()) {
      const result = walk(item, isDescription ? place : 'content', onText, onBlob);
      if (result === item) continue;
      items ??= [...value];
      items[at] = result;
    }
    return items ?? value;
  }
  if (!isFields(value)) return value;
  const inside = (name: string): Place => {
    if (place === 'message') return described.has(name) ? 'description' : 'content';
    return place;
  };
  const shownOf = (name: string, item: unknown): unknown => {
    if (typeof item !== 'string') return walk(item, inside(name), onText, onBlob);
    if (isBlob(name, value)) return onBlob(item);
    return isDescription && !shownOfIt.has(name) ? item : onText(item);
  };
  const names = Object.keys(value);
  let entries: [string, unknown][] | null = null;
  for (const [at, name] of names.entries()) {
    const item = value[name];
    const shownName = isDescription ? name : onText(name);
    const result = shownOf(name, item);
    if (result === item && shownName === name) continue;
    entries ??= names.map((one) => [one, value[one]]);
    entries[at] = [shownName, result];
  }
  return entries === null ? value : Object.fromEntries(entries);
}

/** Shorter than this the letters of a secret stand in any long row of bytes. */
const shortestInBytes = 8;

/** Bytes keep their length, so that what they are stays readable but for the secret. */
function createByteHiding(secrets: readonly string[]): (base64: string) => string {
  const distinct = secrets.filter((secret) => secret.length >= shortestInBytes);
  return (base64) => {
    let result = base64;
    for (const secret of distinct) result = result.replaceAll(secret, 'A'.repeat(secret.length));
    const bytes = bytesOf(result);
    if (bytes === null) return hideKnown(base64, secrets);
    let hasFound = false;
    for (const secret of distinct.map((one) => Buffer.from(one)))
      for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + secret.length)) {
        bytes.fill('*', at, at + secret.length);
        hasFound = true;
      }
    return hasFound ? bytes.toString('base64') : result;
  };
}
