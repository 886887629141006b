import { expect, test } from 'vitest';
import { viewPolicy } from './content-policy';

const directive = (csp: unknown, name: string) =>
  viewPolicy(csp).directives.find((one) => one.startsWith(`${name} `)) ?? '';

test('a view without a list reaches nothing but itself', () => {
  const { directives, reaches } = viewPolicy(undefined);
  expect(reaches).toEqual([]);
  expect(directives).toContain("default-src 'none'");
  expect(directives).toContain("frame-src 'none'");
  expect(directives).toContain("base-uri 'none'");
  expect(directives).toContain("form-action 'none'");
  expect(directives).toContain('connect-src data: blob:');
  expect(directives.join('; ')).not.toMatch(/https?:|wss?:|\*|'self'/);
});

test('origins that a server lists are let in where they belong', () => {
  const csp = {
    connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'],
    resourceDomains: ['https://*.cdn.example.com/', 'https://api.example.com'],
    frameDomains: ['https://player.example.org'],
    baseUriDomains: ['https://base.example.org'],
  };
  expect(directive(csp, 'connect-src')).toBe(
    'connect-src data: blob: https://api.example.com wss://live.example.com:8443',
  );
  expect(directive(csp, 'script-src')).toMatch(
    /https:\/\/\*\.cdn\.example\.com https:\/\/api\.example\.com$/,
  );
  expect(directive(csp, 'frame-src')).toBe('frame-src https://player.example.org');
  expect(viewPolicy(csp).reaches).toEqual([
    'https://api.example.com',
    'wss://live.example.com:8443',
    'https://*.cdn.example.com',
    'https://player.example.org',
  ]);
});

const hostile = [
  '*',
  'https:',
  'https://*',
  'https://*.com',
  'http://example.com',
  'ws://example.com',
  'data:',
  'blob:',
  "'self'",
  "'unsafe-eval'",
  'https://example.com; script-src *',
  "https://example.com 'unsafe-hashes'",
  'https://example.com, https://other.example',
  'https://example.com\nconnect-src *',
  'https://example.com/path',
  'https://example.com?x',
  'https://user:pass@example.com',
  'https://exa*mple.com',
  'https://*.*.example.com',
  'https://example.com:99999999',
  'https://example.com:*',
  'https://127.0.0.1',
  'https://192.168.1.1:8443',
  'https://[::1]',
  'https://2130706433',
  'https://0x7f.1',
  'https://localhost',
  'https://x.localhost',
  'https://router.local',
  'https://intranet',
  'https://ex\u0430mple.com',
  'https://\u202eexample.com',
  'javascript:alert(1)',
  'server-view://x',
  'app://interlinear',
  '',
  `https://${'a.'.repeat(200)}com`,
  null,
  7,
  {},
  ['https://example.com'],
];

test.each(hostile)('%j in a list is left out, and leaves no trace in the policy', (entry) => {
  const plain = viewPolicy({ connectDomains: ['https://good.example.com'] });
  const csp = {
    connectDomains: [entry, 'https://good.example.com'],
    resourceDomains: [entry],
    frameDomains: [entry],
    baseUriDomains: [entry],
  };
  expect(viewPolicy(csp)).toEqual(plain);
});

test.each([null, 'x', 7, [], { connectDomains: 'https://example.com' }, { connectDomains: { 0: '*' } }])(
  '%j instead of lists lets nothing in',
  (csp) => {
    expect(viewPolicy(csp)).toEqual(viewPolicy(undefined));
  },
);

test('a list without an end is cut', () => {
  const connectDomains = Array.from({ length: 10_000 }, (_, at) => `https://a${at}.example.com`);
  expect(viewPolicy({ connectDomains }).reaches).toHaveLength(32);
});
