import { afterEach, expect, test } from 'vitest';
import type { RejectedTool } from '../../../contract/rejected-tools';
import { type Cause, faultWords, type ServerFault } from '../../../contract/server-faults';
import { faultText, rejectedWords } from './fault-words';
import { useLanguage } from './text';

const before = useLanguage.getState();
afterEach(() => useLanguage.setState(before));
const speak = (language: 'en' | 'zh') => useLanguage.setState({ language });

type Values<F extends { code: string }> = {
  readonly [C in F['code']]: readonly Omit<Extract<F, { code: C }>, 'code'>[];
};
const most = 10_000;
const command = '程序';
const why = { code: 'exited', exitCode: 3 } as const satisfies Cause;

/** Everything that a server or a person named is Chinese here. */
const examples: Values<ServerFault> = {
  stopped: [{}],
  'switched-off': [{}],
  'sign-in': [{}],
  slow: [{ ms: 2_000 }],
  'session-lost': [{}],
  'no-folder': [{ folder: '目录' }],
  'not-found': [
    { command, path: null, comesWith: null },
    { command, path: '', comesWith: null },
    { command, path: '目录', comesWith: 'uv' },
  ],
  'not-allowed': [{ command, errno: '原因' }],
  'not-started': [{ command, errno: '原因' }],
  'no-sandbox': (['system', 'missing', 'refused'] as const).map((why) => ({ why, detail: '原因' })),
  exited: [{ exitCode: 1 }, { exitCode: null }],
  killed: [{ signal: '信号' }],
  ended: [{}],
  'program-gone': [{}],
  'stopped-early': [{}],
  'no-start': [{ ms: 90_000 }],
  'no-keys': [{ ms: 60_000 }],
  silent: [{}],
  late: [{}],
  network: ['ECONNREFUSED', 'ENOTFOUND', 'ECAFILE', 'EPROXY', 'EAI_AGAIN', 'EOTHER'].map((errno) => ({
    errno,
  })),
  http: [{ status: 404 }],
  'bad-port': [{}],
  'bad-header': [{}],
  'stream-ended': [{}],
  'too-long': [{ mebibytes: 64 }],
  'too-much': (['work', 'pieces', 'bytes', 'unfinished'] as const).map((what) => ({ what })),
  'not-read': [{}],
  'too-deep': [{ most }],
  'too-many-values': [{ most }],
  'too-many-names': [{ most }],
  'no-json': [{}],
  'other-protocol': [{}],
  'answer-id': [{}],
  'empty-error': [{}],
  'no-object': [{}],
  'long-list': [{ most, what: '工具' }],
  'long-value': [{ most, what: '标记' }],
  'no-method': [{}],
  'request-id': [{}],
  'request-params': [{}],
  'bad-meta': [{}],
  'nothing-answered': [{}],
  'no-message': [{}],
  'other-answer': [{}],
  unasked: [{}],
  'no-event': [{}],
  'unread-request': [{ text: '甲' }],
  'not-handled': [{ text: '甲' }],
  noise: [{ line: '甲' }],
  said: [{ text: '甲' }],
  broken: [{ count: 100, last: { code: 'no-object' } }],
  wrote: [{ why, lines: ['甲', '乙'] }],
  'not-listed': [{ why }],
};
const all = Object.entries(examples).flatMap(([code, list]) =>
  list.map((values) => ({ code, ...values }) as ServerFault),
);
/** Names that are the same in every language. */
const names =
  /\b(E[A-Z_]{3,}|HTTP|HTTPS_PROXY|NODE_EXTRA_CA_CERTS|PATH|MiB|JSON(-RPC)?|ids?|method|params|_meta|x-mcp-header|X|inputSchema|object|min|s|bubblewrap|socat|AppArmor|Ubuntu)\b|uv \(.*?\)|null/g;

test('every fault of a server is said in Chinese, whole, and in English as logs say it', () => {
  for (const fault of all) {
    speak('zh');
    expect(faultText(fault).replace(names, ''), fault.code).not.toMatch(/[A-Za-z]|\{|\}/);
    expect(faultText(fault), fault.code).toMatch(/\p{Script=Han}/u);
    speak('en');
    expect(faultText(fault), fault.code).toBe(faultWords(fault));
  }
});

const at = '甲';
const rejections: Values<RejectedTool['reason']> = {
  'schema-size': (['levels', 'parts', 'characters'] as const).map((what) => ({ what, most })),
  'no-json': [{ fault: 'holds a number that is too large for JSON' }],
  form: [{ at, text: 'Invalid input' }],
  'schema-type': [{}],
  'header-place': [{ at }],
  'header-name': [{ at }],
  'header-type': [{ at }],
  'header-twice': [{ at, header: 'X' }],
  'name-twice': [{}],
  'list-cut': [{ count: 64 }],
};

test('why a tool cannot be used is said in Chinese, also of one without a name', () => {
  speak('zh');
  for (const [code, list] of Object.entries(rejections))
    for (const values of list) {
      const reason = { code, ...values } as RejectedTool['reason'];
      const { name, why: words } = rejectedWords({ tool: null, number: 3, reason });
      expect(`${name} ${words}`.replace(names, ''), code).not.toMatch(/[A-Za-z]|\{|\}/);
    }
  speak('en');
  const reason = { code: 'form', at: 'inputSchema', text: 'Invalid input' } as const;
  expect(rejectedWords({ tool: null, number: 3, reason })).toEqual({
    name: '(number 3)',
    why: 'inputSchema: Invalid input',
  });
});
