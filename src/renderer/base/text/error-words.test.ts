import { afterEach, expect, test } from 'vitest';
import {
  AppError,
  type DetailsOf,
  type ErrorCode,
  errorDetails,
  ProviderFailure,
} from '../../../contract/errors';
import { failureText } from './error-words';
import { useLanguage } from './text';

const before = useLanguage.getState();
afterEach(() => useLanguage.setState(before));

const refused = (differences: object[]) =>
  failureText(
    new AppError('project.refused', 'T-001 was changed since it was read.', {
      ...{ reason: 'conflict', field: 'revision', hint: null },
      differences: differences as [],
    }),
  ).split('\n');

test('what differs is told in the words of the interface', () => {
  const [, again, ...lines] = refused([
    { field: 'status', was: 'in_progress', now: 'completed', yours: 'blocked' },
    { field: 'priority', was: null, now: 'high', yours: 'low' },
    { field: 'goal', was: 'blocked', now: '', yours: 'Peas' },
    { field: 'archived', was: 'false', now: 'true', yours: 'false' },
    { field: 'body', was: null, now: '-one\n+two', yours: null },
  ]);
  expect(again).toMatch(/^Nothing was written/);
  expect(lines).toEqual([
    'Status: it is Completed by now, was In progress; yours: Blocked',
    'Priority: it is High; yours: Low',
    'Goal: it is None by now, was blocked; yours: Peas',
    'Archived: it is Yes by now, was No; yours: No',
    'Text:',
    '-one',
    '+two',
  ]);
});

test('also in the other language', () => {
  useLanguage.setState({ language: 'zh' });
  const [, , line = ''] = refused([
    { field: 'status', was: 'in_progress', now: 'completed', yours: 'blocked' },
  ]);
  expect(line).toMatch(/^状态：/);
  expect(line).not.toMatch(/[a-z_]/);
});

const [path, serverId, reason, tool] = ['/库/甲.md', '服务器', '原因', '工具'];
const issues = ['问题'];

/** Everything that a server, a file or a person named is Chinese here. */
const examples: { readonly [C in ErrorCode]: readonly DetailsOf<C>[] } = {
  'request.invalid': [{ issues }],
  'request.unknown': [{ operation: '操作' }],
  'request.cancelled': [{}],
  'connection.lost': [{}],
  'connection.none': [{}],
  'connection.stale': [{}],
  'connection.refused': [{}],
  'host.unsupported': [{ feature: '功能' }],
  'vault.none': [{}],
  'vault.lost': [{ path }],
  'vault.not-found': [{ path }],
  'vault.not-a-folder': [{ path }],
  'vault.outside': [{ path }],
  'vault.exists': [{ path }],
  'vault.changed': [{ path, version: '1' }],
  'vault.read-only': [{ path }],
  'vault.disk-full': [{ path }],
  'vault.too-large': [{ path, bytes: 5_000_000, limit: 4_000_000 }],
  'vault.not-text': [{ path }],
  'vault.untrusted': [{}],
  'vault.busy': [{ notes: [path, '乙.md'] }],
  'note.session-gone': [{ path }],
  'note.not-kept': [{ path }],
  'versions.unknown': [{ id: '1' }],
  'versions.damaged': [{ id: '1' }],
  'versions.changed': [{ path, hunks: [1] }],
  'recovery.unknown': [{ id: '1' }],
  'chat.busy': [{ path, runId: '1' }],
  'chat.nothing-to-answer': [
    { path, why: 'no-message', name: '' },
    { path, why: 'empty', name: '' },
    { path, why: 'system', name: '' },
    { path, why: 'answer', name: '' },
    { path, why: 'no-question', name: '' },
    { path, why: 'unknown-tag', name: '甲' },
    { path, why: 'agent-note', name: '甲' },
    { path, why: 'prompt-note', name: '甲' },
  ],
  'chat.changes-below': [{ path }],
  'chat.no-provider': [{ tag: null }, { tag: '甲' }, { tag: '甲', waitsForTrust: true }],
  'mcp.unknown-server': [{ serverId }],
  'mcp.invalid-config': [{ issues }],
  'mcp.name-taken': [{ name: '甲', free: '乙' }],
  'mcp.unreachable': [
    { serverId, reason },
    { serverId, reason: 'The server ended.', fault: { code: 'ended' } },
  ],
  'mcp.sign-in-needed': [{ serverId }],
  'mcp.sign-in-failed': [{ serverId, reason }],
  'mcp.not-revoked': [{ serverId, reason }],
  'mcp.protocol': [{ serverId, reason }],
  'mcp.task-ended': (['failed', 'cancelled', 'unknown'] as const).flatMap((how) => [
    { serverId, how, reason },
    { serverId, how, reason: '' },
  ]),
  'tool.unknown': [
    { tool, nearest: [] },
    { tool, nearest: ['甲', '乙'] },
  ],
  'tool.changed': [{ tool }],
  'tool.invalid-arguments': [{ tool, issues }],
  'tool.denied': (
    ['off', 'never', 'never-here', 'person', 'unattended', 'limit', 'paused', 'flow'] as const
  ).flatMap((by) => [
    { tool, by, reason: '' },
    { tool, by, reason },
  ]),
  'tool.timed-out': [{ tool, afterMs: 90_000 }],
  'view.gone': [{}],
  'view.refused': [{ reason }],
  'provider.unknown': [{ provider: '提供商' }],
  'provider.failed': ProviderFailure.options.flatMap((failure) => [
    { provider: '甲', failure, status: null, retryAfterMs: null },
    {
      ...{ provider: '甲', failure, status: null, retryAfterMs: null },
      finding: { code: 'list-broke-off', label: '甲' } as const,
    },
    { provider: '甲', failure, status: 429, retryAfterMs: 61_000 },
  ]),
  'project.refused': (
    [
      'not_found',
      'validation',
      'conflict',
      'cycle',
      'unresolved_reference',
      'read_only',
      'too_large',
      'disk_full',
    ] as const
  ).flatMap((why) => [
    { reason: why, field: null, hint: null, differences: [] },
    { reason: why, field: 'depends_on', hint: '提示', differences: [] },
  ]),
  'settings.tag-taken': [
    { tag: '甲', held: 'user', claim: 'model' },
    { tag: '甲', held: 'model', claim: 'model' },
  ],
  'settings.changed': [{}],
  'settings.invalid': [{ issues }],
  'data.unavailable': [{ file: '文件', reason }],
  'secrets.unavailable': [{ reason }],
  internal: [{}],
};
const failures = (Object.keys(errorDetails) as ErrorCode[]).flatMap((code) =>
  examples[code].map((details) => new AppError(code, 'What the core says of it.', details)),
);

test('every failure of the core is said in Chinese, whole', () => {
  useLanguage.setState({ language: 'zh' });
  for (const failure of failures) {
    const words = failureText(failure).replace(/UTF-8|\.md\b|\bMB\b/g, '');
    expect(words, failure.code).toMatch(/\p{Script=Han}/u);
    expect(words, failure.code).not.toMatch(/[A-Za-z]|\{|\}/);
  }
});

test('what others said of a failure is in its words', () => {
  useLanguage.setState({ language: 'zh' });
  const text = (code: 'mcp.unreachable' | 'view.refused') =>
    failureText(new AppError(code, 'x', { serverId, reason: 'spawn npx ENOENT' }));
  expect(text('mcp.unreachable')).toBe('无法连接服务器：spawn npx ENOENT');
  expect(text('view.refused')).toContain('spawn npx ENOENT');
});

test('in English a failure of the core is said as the core says it, with every issue once', () => {
  useLanguage.setState({ language: 'en' });
  const own = new Set<ErrorCode>([
    'connection.lost',
    'connection.none',
    'mcp.name-taken',
    'settings.tag-taken',
  ]);
  for (const failure of failures.filter(({ code }) => !own.has(code)))
    expect(failureText(failure).split('\n')[0], failure.code).toBe(failure.message);
  expect(failureText(new AppError('settings.invalid', 'Not a; and b.', { issues: ['a', 'c'] }))).toBe(
    'Not a; and b.\nc',
  );
});

test('what the window itself refuses is said as it stands, in either language', () => {
  for (const language of ['en', 'zh'] as const) {
    useLanguage.setState({ language });
    expect(failureText(new AppError('request.invalid', '这里没有', { issues: [] }))).toBe('这里没有');
  }
});
