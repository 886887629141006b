import './no-eval';
import * as z from 'zod';

const plain = <C extends string>(code: C) => z.object({ code: z.literal(code) });
const of = <C extends string, S extends z.ZodRawShape>(code: C, values: S) =>
  z.object({ code: z.literal(code), ...values });

const cause = z.discriminatedUnion('code', [
  plain('stopped'),
  plain('switched-off'),
  plain('sign-in'),
  of('slow', { ms: z.number() }),
  plain('session-lost'),
  of('no-folder', { folder: z.string() }),
  /** `path`: where it was looked for; null: it was named with its place. `comesWith`: what brings it. */
  of('not-found', {
    command: z.string(),
    path: z.string().nullable(),
    comesWith: z.enum(['node', 'uv', 'docker', 'python']).nullable(),
  }),
  of('not-allowed', { command: z.string(), errno: z.string() }),
  of('not-started', { command: z.string(), errno: z.string() }),
  /** It is to run in a sandbox, and none can be made. `detail`: what the system says. */
  of('no-sandbox', { why: z.enum(['system', 'missing', 'refused']), detail: z.string() }),
  of('exited', { exitCode: z.number().nullable() }),
  of('killed', { signal: z.string() }),
  plain('ended'),
  /** The program behind it is not there to be written to. */
  plain('program-gone'),
  plain('stopped-early'),
  of('no-start', { ms: z.number() }),
  /** The key store that holds its secrets. */
  of('no-keys', { ms: z.number() }),
  plain('silent'),
  /** The service that signs in. */
  plain('late'),
  of('network', { errno: z.string() }),
  of('http', { status: z.number().int() }),
  plain('bad-port'),
  plain('bad-header'),
  plain('stream-ended'),
  of('too-long', { mebibytes: z.number() }),
  of('too-much', { what: z.enum(['work', 'pieces', 'bytes', 'unfinished']) }),
  /** It had its end already. */
  plain('not-read'),
  of('too-deep', { most: z.number().int() }),
  of('too-many-values', { most: z.number().int() }),
  of('too-many-names', { most: z.number().int() }),
  plain('no-json'),
  plain('other-protocol'),
  plain('answer-id'),
  plain('empty-error'),
  plain('no-object'),
  of('long-list', { most: z.number().int(), what: z.string() }),
  /** Something that would be kept, or sent back as it came. */
  of('long-value', { most: z.number().int(), what: z.string() }),
  plain('no-method'),
  plain('request-id'),
  plain('request-params'),
  plain('bad-meta'),
  plain('nothing-answered'),
  plain('no-message'),
  plain('other-answer'),
  plain('unasked'),
  plain('no-event'),
  of('unread-request', { text: z.string() }),
  of('not-handled', { text: z.string() }),
  of('noise', { line: z.string() }),
  /** Words of the server, or of a library; nobody knows more. */
  of('said', { text: z.string() }),
]);
/** What one thing went wrong with a server. `text` and `line` are what others said, in their words. */
export type Cause = z.infer<typeof cause>;

/** The last one of so many messages that could not be read. */
const broken = of('broken', { count: z.number().int(), last: cause });
const trouble = z.discriminatedUnion('code', [cause, broken]);
export type Trouble = z.infer<typeof cause> | z.infer<typeof broken>;

/** With the lines of its standard error that may explain it. */
const wrote = of('wrote', { why: trouble, lines: z.array(z.string()) });
/** Its tools could not be listed. */
const notListed = of('not-listed', { why: trouble });

/** Why a server is as it is; the words for it are made where they are read. */
export type ServerFault = Trouble | z.infer<typeof wrote> | z.infer<typeof notListed>;
export const ServerFault: z.ZodType<ServerFault> = z.discriminatedUnion('code', [trouble, wrote, notListed]);

const networkWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at this address (ECONNREFUSED).',
  ENOTFOUND: 'There is no computer of this name (ENOTFOUND).',
  ECAFILE: 'The file with certificates cannot be read: see Settings → General, or NODE_EXTRA_CA_CERTS.',
  EPROXY: 'The proxy refused the connection: check HTTPS_PROXY.',
  EAI_AGAIN: 'The name of this computer cannot be looked up now (EAI_AGAIN).',
};

const sources = {
  node: 'Node.js (https://nodejs.org)',
  uv: 'uv (https://docs.astral.sh/uv)',
  docker: 'Docker (https://www.docker.com)',
  python: 'Python (https://www.python.org)',
} as const;

const tooMuch = {
  work: 'It sent more requests and notifications than can be handled.',
  pieces: 'It sent more lines or events than can be read.',
  bytes: 'It sent more than can be read without having been asked for it.',
  unfinished: 'It began more messages than can be held.',
} as const;

/** What keeps a sandbox from being made, and what to do. */
export const noSandboxWords = {
  system: 'No way is known to make one on this system.',
  missing: 'A program for it is missing: install bubblewrap and socat.',
  refused:
    'The system refused it. In a container, or where AppArmor restricts user namespaces (Ubuntu 24.04), it has to be allowed first.',
} as const;

/** In English: for logs, models and the command line. Screens have words of their own for each code. */
export function faultWords(fault: ServerFault): string {
  const say = words[fault.code] as (fault: ServerFault) => string;
  return say(fault);
}

const words: { readonly [C in ServerFault['code']]: (fault: Extract<ServerFault, { code: C }>) => string } = {
  stopped: () => 'The server is stopped.',
  'switched-off': () => 'The server is switched off.',
  'sign-in': () => 'The server asks you to sign in.',
  slow: ({ ms }) => `It took ${(ms / 1000).toFixed(1)} s to answer.`,
  'session-lost': () => 'The server has forgotten this session.',
  'no-folder': ({ folder }) => `The working folder “${folder}” does not exist.`,
  'not-found': ({ command, path, comesWith }) =>
    [
      `“${command}” was not found.`,
      ...(comesWith === null ? [] : [`It comes with ${sources[comesWith]}.`]),
      ...(path === null ? [] : [`Searched in: ${path || '(no PATH)'}.`]),
    ].join(' '),
  'not-allowed': ({ command, errno }) => `“${command}” may not be run (${errno}).`,
  'not-started': ({ command, errno }) => `“${command}” could not be started (${errno}).`,
  'no-sandbox': ({ why, detail }) =>
    `It is to run in a sandbox, and none can be made here. ${noSandboxWords[why]} (${detail})`,
  exited: ({ exitCode }) => `The server ended with code ${exitCode}.`,
  killed: ({ signal }) => `The server was ended by ${signal}.`,
  ended: () => 'The server ended.',
  'program-gone': () => 'The program has ended.',
  'stopped-early': () => 'It was stopped before it had started.',
  'no-start': ({ ms }) => `It did not answer within ${ms / 1000} s.`,
  'no-keys': ({ ms }) => `The key store with its secrets did not answer within ${ms / 1000} s.`,
  late: () => 'It did not answer in time.',
  silent: () => 'The server did not answer in time.',
  network: ({ errno }) => networkWords[errno] ?? `The server cannot be reached (${errno}).`,
  http: ({ status }) => `The server answered with HTTP ${status}.`,
  'bad-port': () => 'Browsers and this app do not speak to this port; it belongs to another protocol.',
  'bad-header': () =>
    'A header has a value that cannot be sent: it has a line end or another sign in it that no header has.',
  'stream-ended': () => 'The server ended the stream before its answer had come.',
  'too-long': ({ mebibytes }) => `It sent a message of more than ${mebibytes} MiB.`,
  'too-much': ({ what }) => tooMuch[what],
  'not-read': () => 'Nothing more is read of it.',
  'too-deep': ({ most }) => `It sent a message that is nested more than ${most} levels deep.`,
  'too-many-values': ({ most }) =>
    `It sent a message that has more than ${most.toLocaleString('en')} values.`,
  'too-many-names': ({ most }) => `It sent a message that has more than ${most.toLocaleString('en')} names.`,
  'no-json': () => 'It sent a message that is no JSON.',
  'other-protocol': () => 'It sent a message of another protocol than JSON-RPC 2.0.',
  'answer-id': () => 'It sent an answer whose id is no text or number.',
  'empty-error': () => 'It answered with an error that says nothing.',
  'no-object': () => 'It answered with a result that is no object.',
  'long-list': ({ most, what }) => `It listed more than ${most.toLocaleString('en')} ${what} at once.`,
  'long-value': ({ most, what }) =>
    `It sent a “${what}” of more than ${most.toLocaleString('en')} characters.`,
  'no-method': () => 'It sent a request whose method is no text.',
  'request-id': () => 'It sent a request whose id is no text or number.',
  'request-params': () => 'It sent a request whose params are no object.',
  'bad-meta': () => 'It sent a message whose “_meta” cannot be read.',
  'nothing-answered': () => 'It took a request and answered nothing (HTTP 202).',
  'no-message': () => 'Its answer is no message of the protocol.',
  'other-answer': () => 'It answered something else than what was asked.',
  unasked: () => 'It answered what was not asked.',
  'no-event': () => 'It sent an event that is no message.',
  'unread-request': ({ text }) => `It could not read a request: ${text}`,
  'not-handled': ({ text }) => `A message could not be handled: ${text}`,
  noise: ({ line }) => `It writes what is no JSON-RPC to its standard output: ${line}`,
  said: ({ text }) => text,
  broken: ({ count, last }) => `It sent ${count} messages that cannot be read. ${faultWords(last)}`,
  wrote: ({ why, lines }) => `${faultWords(why)} It wrote: ${lines.join(' ⏎ ')}`,
  'not-listed': ({ why }) => `Its tools could not be listed: ${faultWords(why)}`,
};
