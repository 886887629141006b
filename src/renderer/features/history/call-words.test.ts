import { expect, test } from 'vitest';
import { errorDetails } from '../../../contract/errors';
import type { HistoryEntry } from '../../../contract/history';
import { useLanguage } from '../../base/text/text';
import { approvalWords, reasonWords } from './call-words';

const entry = (changes: Partial<HistoryEntry>): HistoryEntry => ({
  id: 1,
  callId: 'call-1',
  at: 0,
  by: 'model',
  serverId: 'srv',
  serverName: 'vault',
  tool: 'read_docs',
  path: null,
  arguments: '{}',
  status: 'denied',
  ms: 0,
  resultBytes: 0,
  cached: false,
  approval: 'none',
  error: 'This call was not allowed.',
  ...changes,
});

test('whatever denied a call is told in the language of the screen', () => {
  useLanguage.getState().choose('zh');
  for (const by of errorDetails['tool.denied'].shape.by.options)
    expect([by, reasonWords(entry({ approval: by, error: null }))]).toEqual([
      by,
      expect.stringMatching(/\p{Script=Han}/u),
    ]);
  expect(reasonWords(entry({ approval: 'person', error: '不要这个文件夹' }))).toContain('不要这个文件夹');
  expect(reasonWords(entry({ status: 'interrupted' }))).toMatch(/\p{Script=Han}/u);
  useLanguage.getState().choose('en');
});

test('what a server says stays in its words, and an entry of an older app in its own', () => {
  expect(reasonWords(entry({ status: 'error', error: 'ENOENT' }))).toBe('ENOENT');
  expect(reasonWords(entry({}))).toBe('This call was not allowed.');
  expect(approvalWords(entry({}))).toBeNull();
  expect(approvalWords(entry({ status: 'ok', approval: 'grant' }))).toBe('Allowed earlier');
});
