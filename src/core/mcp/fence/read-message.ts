import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { type Cause, faultWords } from '../../../contract/server-faults';
import { answerExcess, mostChecked, questionExcess } from './checked-sizes';
import type { Intake } from './intake';
import { idExcess, keptExcess } from './kept-values';
import { guessedId, looksLikeAnswer, looksLikeMessage, scanJson } from './scan';

/** Something a server sent that is no message of the protocol, or one that is too much to read. */
export class BrokenMessage extends Error {
  override readonly name = 'BrokenMessage';
  /** Of the request that it would have answered; null: none that is known. */
  readonly answers: string | number | null;
  /** It stands where an answer was to be, though `answers` may not tell which. */
  readonly isAnswer: boolean;
  readonly fault: Cause;
  constructor(fault: Cause, answers: string | number | null, isAnswer = answers !== null) {
    super(faultWords(fault));
    this.fault = fault;
    this.answers = answers;
    this.isAnswer = isAnswer;
  }
}

/** A transport that counts what comes, and tells of what it could not hand on. */
export interface TellingTransport extends Transport {
  readonly intake: Intake;
  onbroken?: (broken: BrokenMessage) => void;
}

export type Read =
  /** `isAsSent`: nothing of what came was left out of it. */
  | { readonly kind: 'message'; readonly message: JSONRPCMessage; readonly isAsSent: boolean }
  | { readonly kind: 'broken'; readonly broken: BrokenMessage }
  /** No JSON-RPC at all, such as a line that a program prints by mistake. */
  | { readonly kind: 'junk' };

/** One message from a server: measured before it is parsed, and of the protocol's shape after it. */
export function readMessage(bytes: Uint8Array): Read {
  const parsed = parse(bytes);
  return 'kind' in parsed ? parsed : readValue(parsed.value);
}

/** The same where several may stand in a list (revision 2025-03-26). */
export function readMessages(bytes: Uint8Array): Read[] {
  const parsed = parse(bytes);
  if ('kind' in parsed) return [parsed];
  return Array.isArray(parsed.value) ? parsed.value.map(readValue) : [readValue(parsed.value)];
}

function parse(bytes: Uint8Array): Read | { readonly value: unknown } {
  const tooMuch = scanJson(bytes);
  if (tooMuch !== null) return broken(tooMuch, guessedId(bytes), looksLikeAnswer(bytes));
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) };
  } catch {
    if (!looksLikeMessage(bytes)) return { kind: 'junk' };
    return broken({ code: 'no-json' }, guessedId(bytes), looksLikeAnswer(bytes));
  }
}

function readValue(value: unknown): Read {
  if (!isObject(value)) return { kind: 'junk' };
  if ('jsonrpc' in value) return checkShape(value);
  const isAnswer = isId(value.id) && ('result' in value || 'error' in value);
  return isAnswer ? broken(otherProtocol, value.id as string | number) : { kind: 'junk' };
}

const otherProtocol: Cause = { code: 'other-protocol' };

/**
 * JSON-RPC 2.0 as MCP speaks it: objects as params, results and errors; texts and whole numbers as ids. What passes is
 * rebuilt of these alone, for the SDK refuses a message with anything else in it and says so to nobody.
 */
function checkShape(value: Record<string, unknown>): Read {
  const { jsonrpc, id, method, params, result, error } = value;
  const answers = isId(id) ? id : null;
  if ('method' in value) {
    const fault = brokenRequest(value);
    if (fault !== null)
      return 'result' in value || 'error' in value ? broken(fault, answers, true) : broken(fault, null);
    const rest = isObject(params) && { params: withReadableMeta(params) };
    return message({ jsonrpc, ...(isId(id) && { id }), method, ...rest }, value);
  }
  if (jsonrpc !== '2.0') return broken(otherProtocol, answers, true);
  // An error without an id answers a request that could not be read.
  if (!isId(id) && !(isMissing(id) && isError(error))) return broken({ code: 'answer-id' }, null, true);
  if (!isMissing(error) && !isError(error)) return broken({ code: 'empty-error' }, answers, true);
  const tooLong = idExcess(id) ?? keptExcess(error) ?? keptExcess(result);
  if (tooLong !== null) return broken(tooLong, answers, true);
  if (isError(error)) {
    const { code, message: words, data } = error;
    const readable = { code, message: words, ...(data !== undefined && { data }) };
    return message({ jsonrpc, ...(isId(id) && { id }), error: readable }, value);
  }
  if (!isObject(result)) return broken({ code: 'no-object' }, answers);
  const excess = answerExcess(result);
  if (excess !== null) return broken(excess, answers);
  return message({ jsonrpc, id, result: withFewParts(withReadableMeta(result)) }, value);
}

/** Why something with a method cannot be read; null: it can. */
function brokenRequest({ jsonrpc, id, method, params }: Record<string, unknown>): Cause | null {
  if (jsonrpc !== '2.0') return otherProtocol;
  if (typeof method !== 'string') return { code: 'no-method' };
  if (!isMissing(id) && !isId(id)) return { code: 'request-id' };
  if (!isMissing(params) && !isObject(params)) return { code: 'request-params' };
  const tooLong = idExcess(id) ?? keptExcess(params);
  if (tooLong !== null) return tooLong;
  // A question is told so.
  return isId(id) ? null : questionExcess(method, params);
}

interface Parts {
  readonly jsonrpc?: unknown;
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

function message(parts: Parts, original: Parts): Read {
  const { _meta } = (parts.params ?? parts.result ?? {}) as { _meta?: unknown };
  const isAsSent =
    sameSize(parts, original) &&
    sameSize(parts.params, original.params) &&
    sameSize(parts.result, original.result) &&
    contentOf(parts.result) === contentOf(original.result) &&
    sameSize(parts.error, original.error);
  try {
    const parsed = _meta === undefined ? (parts as JSONRPCMessage) : parseJSONRPCMessage(parts);
    return { kind: 'message', message: parsed, isAsSent };
  } catch {
    const answers = 'method' in parts || !isId(parts.id) ? null : parts.id;
    return broken({ code: 'bad-meta' }, answers);
  }
}

const contentOf = (result: unknown) => (isObject(result) ? result.content : undefined);
const sameSize = (a: unknown, b: unknown) => Object.keys(a ?? {}).length === Object.keys(b ?? {}).length;

const broken = (fault: Cause, answers: string | number | null, isAnswer?: boolean): Read => ({
  kind: 'broken',
  broken: new BrokenMessage(fault, answers, isAnswer),
});

function withReadableMeta({ _meta, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return isObject(_meta) ? { ...rest, _meta } : rest;
}

/** What is told in more parts than anybody reads is cut, before each of them is looked at by everybody who comes after. */
function withFewParts(result: Record<string, unknown>): Record<string, unknown> {
  const { content } = result;
  if (!Array.isArray(content) || content.length <= mostChecked.listed) return result;
  const rest = content.length - mostChecked.listed;
  const mark = {
    type: 'text',
    text: `(${rest.toLocaleString('en')} more parts of this result were left out.)`,
  };
  return { ...result, content: [...content.slice(0, mostChecked.listed), mark] };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMissing = (value: unknown) => value === undefined || value === null;
const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value);
const isError = (value: unknown): value is { code: number; message: string; data?: unknown } =>
  isObject(value) && Number.isSafeInteger(value.code) && typeof value.message === 'string';
