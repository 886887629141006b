import { afterEach, expect, test } from 'vitest';
import type { ProviderFinding } from '../../../contract/provider-findings';
import { problemWords } from './finding-words';
import { useLanguage } from './text';

const before = useLanguage.getState();
afterEach(() => useLanguage.setState(before));
const speak = (language: 'en' | 'zh') => useLanguage.setState({ language });

const words = { label: '甲', quote: '原话' };
const [address, model] = ['地址', '模型'];
const key = { ...words, keyPage: '网页', isTyped: true };

/** Everything that a provider or a person named is Chinese here. */
const examples: {
  readonly [C in ProviderFinding['code']]: readonly Omit<Extract<ProviderFinding, { code: C }>, 'code'>[];
} = {
  'key-refused': [key, { ...key, isTyped: false, keyPage: null, quote: null }],
  'key-missing': [
    { ...key, variables: ['变量'] },
    { ...key, variables: [] },
  ],
  'no-credit': [words],
  'rate-limited': [
    { ...words, seconds: 0 },
    { ...words, seconds: 8 },
  ],
  overloaded: [
    { ...words, status: null },
    { ...words, status: 529 },
  ],
  'too-long': [{ ...words, model }],
  filtered: [words],
  'no-model': (['ollama', 'azure', 'other'] as const).map((at) => ({ ...words, model, at })),
  'no-list': [{ address }],
  'nothing-there': [{ label: '甲', address }],
  'not-understood': [
    { ...words, status: null },
    { ...words, status: 400 },
  ],
  'list-broke-off': [{ label: '甲' }],
  'answer-broke-off': [{ label: '甲' }],
  'web-page': [{ label: '甲', address }],
  moved: [{ address, to: '乙' }],
  unreachable: (
    ['certificates', 'proxy', 'ollama', 'encryption', 'trust', 'server', 'network'] as const
  ).flatMap((check) => [
    { label: '甲', address, errno: null, check },
    { label: '甲', address, errno: '原因', check },
  ]),
  silent: [{ label: '甲', seconds: 60 }],
  cancelled: [{}],
  'secret-in-address': [{ label: '甲', address }],
  'no-address': [{}],
  'no-web-address': [{ address }],
};

/** Names that are the same in every language. */
const names = /\bollama pull\b|\bOllama\b|https?:\/\/[\w.:/]*|[A-Z]+(_[A-Z]+)+/g;

test('what is wrong with a provider is said in Chinese, whole, with what to do', () => {
  speak('zh');
  for (const [code, list] of Object.entries(examples))
    for (const values of list) {
      const finding = { code, ...values } as ProviderFinding;
      const { what, next } = problemWords({ finding, message: 'What the core says.', next: 'And then.' });
      expect(what, code).toMatch(/\p{Script=Han}/u);
      expect(`${what}${next}`.replace(names, ''), code).not.toMatch(/[A-Za-z]|\{|\}/);
      if ('quote' in finding && finding.quote) expect(what, code).toContain('原话');
    }
});

test('in English it is said as the core says it', () => {
  speak('en');
  const finding = { code: 'no-credit', ...words } as const;
  expect(problemWords({ finding, message: 'No credit. 甲 says: “原话”', next: 'Top it up.' })).toEqual({
    what: 'No credit. 甲 says: “原话”',
    next: 'Top it up.',
  });
});
