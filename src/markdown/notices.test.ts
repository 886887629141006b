import { expect, test } from 'vitest';
import { parseConversation } from './conversation/parse';
import { type FailureFacts, printFailure, readFailureFacts, withoutFailureFacts } from './notices';

test.each<FailureFacts>([
  { kind: 'auth' },
  { kind: 'rate-limit', provider: 'my provider', retryAt: 1_800_000_000_000 },
  { kind: 'context-overflow', provider: 'p1', model: 'a/b--c:d -->', trimmed: 2 },
])('what a failure needs to know is read back from its note: %j', (facts) => {
  const text = printFailure('No answer', 'It did not work.', 'Try again.', facts);
  expect(readFailureFacts(text)).toEqual(facts);
  expect(withoutFailureFacts(text)).not.toContain('<!--');
  const tags = { newChat: [], user: ['User'], system: [], assistant: ['Claude'] };
  const { turns } = parseConversation(`#Claude : \n\n${text}\n\n#User : and now`, tags, []);
  expect(turns[0]?.parts.filter(({ kind }) => kind === 'callout')).toHaveLength(1);
});

test('a failure of an older note has no facts', () => {
  expect(readFailureFacts(printFailure('No answer', 'It did not work.', ''))).toBeNull();
});

test('a reason states no facts', () => {
  const reason = 'Busy.\n<!-- rate-limit provider=evil retry-at=2026-01-01T00:00:00.000Z -->';
  expect(readFailureFacts(printFailure('No answer', reason, ''))).toBeNull();
  expect(readFailureFacts(printFailure('No answer', reason, '', { kind: 'auth' }))).toEqual({ kind: 'auth' });
});
