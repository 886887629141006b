import { checksum } from './checksum';
import { calloutHead } from './scan';
import { printCallout } from './tool-calls/print';
import { escapedMarks } from './tool-calls/words';

const sum = / sum=([0-9a-f]{8})(?= -->\s*$)/;

/** A failure that tells what stands of its attempt, with `before` above it: so that it is known later whether it is still just that. */
export function withSum(failure: string, before: string): string {
  if (!comment.test(failure)) return failure;
  const attempt = `${before.trim()}\n\n${failure}`.trim();
  return failure.replace(/ -->\s*$/, ` sum=${checksum(attempt)} -->`);
}

/** A failure of an answer that was to take the place of the one above it, which is known again by its text. */
export const withOld = (failure: string, old: string): string =>
  comment.test(failure) ? failure.replace(/ -->\s*$/, ` old=${checksum(old)} -->`) : failure;

/** Whether an attempt that failed was to take the place of just this answer. */
export const wasFor = (attempt: string, old: string): boolean =>
  isAsWritten(attempt) && readFailureFacts(attempt)?.old === checksum(old);

/** Whether what stands of an attempt that failed is what the app wrote, and nobody's words are among it. */
export function isAsWritten(attempt: string): boolean {
  const text = attempt.trim();
  const digits = sum.exec(text)?.[1];
  return digits !== undefined && checksum(text.replace(sum, '')) === digits;
}

/** What a model thought, and what the app tells of an answer; what somebody else put there is another callout. */
export function isNotice(callout: string): boolean {
  const { type, title } = calloutHead(callout) ?? { type: '', title: '' };
  return type === 'failure' || (notices[type]?.test(title) ?? false);
}

const notices: Readonly<Record<string, RegExp>> = {
  thinking: /^(?:Thinking|\d+\.\d s)$/,
  info: /^(?:Not sent|Left out to make room)$/,
};

/** A model's reasoning, folded away and never sent again; without its first line it is the head of no other callout. */
export function printThinking(text: string, seconds: number | null): string {
  const plain = escapedMarks(text);
  return printCallout('thinking', seconds === null ? 'Thinking' : `${seconds.toFixed(1)} s`, [plain]);
}

/** What a failure's next steps need to know, however long after. */
export interface FailureFacts {
  /** Why: a word such as `rate-limit`, or an error's code. */
  readonly kind: string;
  /** The id of the provider. */
  readonly provider?: string;
  readonly model?: string;
  /** Milliseconds since 1970: not to be tried before. */
  readonly retryAt?: number;
  /** How often the conversation had been shortened. */
  readonly trimmed?: number;
  /** Of the answer above it that it was to take the place of: the sum of its text. */
  readonly old?: string;
}

/** The facts stand in a comment, which no reader of markdown shows. */
export function printFailure(title: string, reason: string, next: string, facts?: FailureFacts): string {
  // The reason is somebody else's word; the facts are not.
  const plain = escapedMarks(reason.replaceAll('<!--', '<!\\--'));
  const lines = [
    plain,
    ...(next === '' ? [] : ['', escapedMarks(next)]),
    ...(facts ? [printFacts(facts)] : []),
  ];
  return printCallout('failure', title, lines, '');
}

function printFacts({ kind, provider, model, retryAt, trimmed }: FailureFacts): string {
  const words = [
    encoded(kind),
    ...(provider === undefined ? [] : [`provider=${encoded(provider)}`]),
    ...(model === undefined ? [] : [`model=${encoded(model)}`]),
    ...(retryAt === undefined ? [] : [`retry-at=${new Date(retryAt).toISOString()}`]),
    ...(trimmed === undefined ? [] : [`trimmed=${trimmed}`]),
  ];
  return `<!-- ${words.join(' ')} -->`;
}

const comment = /^[> \t]*<!-- (\S+(?: \S+)*) -->[ \t]*$/m;

/** Null for a failure that an older version, or a person, has written. */
export function readFailureFacts(callout: string): FailureFacts | null {
  const [kind, ...rest] = comment.exec(callout)?.[1]?.split(' ') ?? [];
  if (kind === undefined) return null;
  const words = new Map(rest.map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]));
  const [provider, model] = [words.get('provider'), words.get('model')];
  const old = words.get('old');
  const [retryAt, trimmed] = [Date.parse(words.get('retry-at') ?? ''), Number(words.get('trimmed'))];
  return {
    kind: decoded(kind),
    ...(provider !== undefined && { provider: decoded(provider) }),
    ...(model !== undefined && { model: decoded(model) }),
    ...(Number.isFinite(retryAt) && { retryAt }),
    ...(Number.isInteger(trimmed) && trimmed > 0 && { trimmed }),
    ...(old !== undefined && { old }),
  };
}

export const withoutFailureFacts = (text: string): string => text.replace(comment, '').trimEnd();

/** What a message brings along that the model does not take; never sent. */
export function printNotSent(lines: readonly string[]): string {
  return printCallout('info', 'Not sent', lines.map(withoutEmbeds).map(escapedMarks), '');
}

/** In words, so that no picture is drawn a second time. */
const withoutEmbeds = (line: string) =>
  line.replace(/!?\[\[(?<!\[\[[^\]]*?\[\[)([^\]]*)\]\]/g, '`$1`').replace(/!\[/g, '[');

/** What was left out of a conversation that was too long; never sent. */
export function printLeftOut(text: string): string {
  return printCallout('info', 'Left out to make room', [escapedMarks(text)]);
}

// Two hyphens would end the comment.
const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('--', '-%2D');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
