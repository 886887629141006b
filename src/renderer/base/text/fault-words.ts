import type { RejectedTool } from '../../../contract/rejected-tools';
import { faultWords, type ServerFault } from '../../../contract/server-faults';
import { longTime, shortMs, wholeNumber } from './format';
import { t } from './text';

/** What went wrong with a server, for a person, in their language. What others wrote is in their words. */
export function faultText(fault: ServerFault): string {
  const say = words[fault.code] as (fault: ServerFault, message: string) => string;
  return say(fault, faultWords(fault));
}

const sources = {
  node: 'Node.js (https://nodejs.org)',
  uv: 'uv (https://docs.astral.sh/uv)',
  docker: 'Docker (https://www.docker.com)',
  python: 'Python (https://www.python.org)',
};

const networkKeys = {
  ECONNREFUSED: 'fault.network.ECONNREFUSED',
  ENOTFOUND: 'fault.network.ENOTFOUND',
  ECAFILE: 'fault.network.ECAFILE',
  EAI_AGAIN: 'fault.network.EAI_AGAIN',
} as const;
const isKnown = (errno: string): errno is keyof typeof networkKeys => Object.hasOwn(networkKeys, errno);

const words: {
  readonly [C in ServerFault['code']]: (fault: Extract<ServerFault, { code: C }>, message: string) => string;
} = {
  stopped: (_, message) => t('fault.stopped', { message }),
  'switched-off': (_, message) => t('fault.switched-off', { message }),
  'sign-in': (_, message) => t('fault.sign-in', { message }),
  slow: ({ ms }, message) => t('fault.slow', { time: shortMs(ms), message }),
  'session-lost': (_, message) => t('fault.session-lost', { message }),
  'no-folder': (fault, message) => t('fault.no-folder', { ...fault, message }),
  'not-found': notFoundText,
  'not-allowed': (fault, message) => t('fault.not-allowed', { ...fault, message }),
  'no-sandbox': ({ why, detail }, message) =>
    t('fault.no-sandbox', { why: t(`fault.no-sandbox.${why}`), detail, message }),
  'not-started': (fault, message) => t('fault.not-started', { ...fault, message }),
  exited: ({ exitCode }, message) => t('fault.exited', { exitCode: String(exitCode), message }),
  killed: (fault, message) => t('fault.killed', { ...fault, message }),
  ended: (_, message) => t('fault.ended', { message }),
  'program-gone': (_, message) => t('fault.program-gone', { message }),
  'stopped-early': (_, message) => t('fault.stopped-early', { message }),
  'no-start': ({ ms }, message) => t('fault.no-start', { time: longTime(ms), message }),
  'no-keys': ({ ms }, message) => t('fault.no-keys', { time: longTime(ms), message }),
  late: (_, message) => t('fault.late', { message }),
  silent: (_, message) => t('fault.silent', { message }),
  network: ({ errno }, message) => {
    if (errno === 'EPROXY') return t('fault.network.EPROXY');
    return isKnown(errno) ? t(networkKeys[errno], { message }) : t('fault.network', { errno, message });
  },
  http: (fault, message) => t('fault.http', { ...fault, message }),
  'bad-port': (_, message) => t('fault.bad-port', { message }),
  'bad-header': (_, message) => t('fault.bad-header', { message }),
  'stream-ended': (_, message) => t('fault.stream-ended', { message }),
  'too-long': (fault, message) => t('fault.too-long', { ...fault, message }),
  'too-much': ({ what }, message) => t(`fault.too-much.${what}`, { message }),
  'not-read': (_, message) => t('fault.not-read', { message }),
  'too-deep': ({ most }, message) => t('fault.too-deep', { most: wholeNumber(most), message }),
  'too-many-values': ({ most }, message) => t('fault.too-many-values', { most: wholeNumber(most), message }),
  'too-many-names': ({ most }, message) => t('fault.too-many-names', { most: wholeNumber(most), message }),
  'no-json': (_, message) => t('fault.no-json', { message }),
  'other-protocol': (_, message) => t('fault.other-protocol', { message }),
  'answer-id': (_, message) => t('fault.answer-id', { message }),
  'empty-error': (_, message) => t('fault.empty-error', { message }),
  'no-object': (_, message) => t('fault.no-object', { message }),
  'long-list': ({ most, what }, message) => t('fault.long-list', { most: wholeNumber(most), what, message }),
  'long-value': ({ most, what }, message) =>
    t('fault.long-value', { most: wholeNumber(most), what, message }),
  'no-method': (_, message) => t('fault.no-method', { message }),
  'request-id': (_, message) => t('fault.request-id', { message }),
  'request-params': (_, message) => t('fault.request-params', { message }),
  'bad-meta': (_, message) => t('fault.bad-meta', { message }),
  'nothing-answered': (_, message) => t('fault.nothing-answered', { message }),
  'no-message': (_, message) => t('fault.no-message', { message }),
  'other-answer': (_, message) => t('fault.other-answer', { message }),
  unasked: (_, message) => t('fault.unasked', { message }),
  'no-event': (_, message) => t('fault.no-event', { message }),
  'unread-request': (fault, message) => t('fault.unread-request', { ...fault, message }),
  'not-handled': (fault, message) => t('fault.not-handled', { ...fault, message }),
  noise: (fault, message) => t('fault.noise', { ...fault, message }),
  said: (fault, message) => t('fault.said', { ...fault, message }),
  broken: ({ count, last }, message) => t('fault.broken', { count, last: faultText(last), message }),
  wrote: ({ why, lines }, message) =>
    t('fault.wrote', { why: faultText(why), lines: lines.join(' ⏎ '), message }),
  'not-listed': ({ why }, message) => t('fault.not-listed', { why: faultText(why), message }),
};

function notFoundText(
  { command, path, comesWith }: Extract<ServerFault, { code: 'not-found' }>,
  message: string,
): string {
  const source = comesWith === null ? '' : t('fault.not-found.comesWith', { source: sources[comesWith] });
  const at = path ? t('fault.not-found.path', { path }) : t('fault.not-found.noPath');
  return t('fault.not-found', { command, source, where: path === null ? '' : at, message });
}

/** What a tool that cannot be used is called, and why it cannot. */
export function rejectedWords({ tool, number, reason }: RejectedTool): { name: string; why: string } {
  const unnamed = reason.code === 'list-cut' ? t('rejected.rest') : t('rejected.unnamed', { number });
  return { name: tool ?? unnamed, why: rejectionText(reason) };
}

function rejectionText(reason: RejectedTool['reason']): string {
  switch (reason.code) {
    case 'schema-size':
      return t(`rejected.schema-size.${reason.what}`, { most: reason.most });
    case 'no-json':
      return t('rejected.no-json', { message: `inputSchema: It ${reason.fault}.` });
    case 'form':
      return t('rejected.form', { at: reason.at, message: `${reason.at}: ${reason.text}` });
    case 'header-twice':
      return t('rejected.header-twice', reason);
    case 'header-place':
    case 'header-name':
    case 'header-type':
      return t(`rejected.${reason.code}`, { at: reason.at });
    case 'list-cut':
      return t('rejected.list-cut', { count: reason.count });
    case 'schema-type':
    case 'name-twice':
      return t(`rejected.${reason.code}`);
  }
}
