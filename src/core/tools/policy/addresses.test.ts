import { expect, test } from 'vitest';
import { cpuTime } from '../../../../tests/support/cpu-time';
import { addressOf } from './addresses';

test.each([
  'http://127.0.0.1/admin',
  'http://localhost/admin',
  'http://localhost./admin',
  'http://localhost../admin',
  'http://router./admin',
  ' http://127.0.0.1/admin',
  '\thttp://127.0.0.1/admin',
  'ht\ntp://127.0.0.1/admin',
  'http:127.0.0.1/admin',
  'http:localhost:8080/admin',
  'http:/127.0.0.1/admin',
  'http:///127.0.0.1/admin',
  '//localhost/admin',
  '127.0.0.1/admin',
  'localhost:8080',
  'localhost',
  'http://[::127.0.0.1]/admin',
  'http://[::ffff:7f00:1]/',
  'http://[::1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  '[::1]:8080/',
  'http://0/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://１２７.０.０.１/',
  'http://%6cocalhost/',
  'http://user@localhost/',
  'http://page.example\\@localhost/',
  'http:\\\\localhost\\admin',
  '\\\\localhost\\admin',
  'http://nas/',
  'http://127.0.0.1.nip.io:8080/admin',
  'http://app.10-0-0-1.page.example/',
  'http://192.168.1.1.page.example/',
  'http://7f000001.sslip.io/',
  'http://localtest.me/',
  'nas:8080/x',
  'http://nas.home.arpa/',
  'http://a.localhost/',
  'http://printer.local/',
  'http://db.internal/',
  'http://box.lan./',
  'http://fritz.box/',
  'http://169.254.169.254/latest',
  'view-source:http://localhost/',
  'file:///etc/passwd',
  'http://',
  'http://a b/',
])('asked for as an address, not clearly public: %j', (address) => {
  expect(addressOf('url', address)).toMatchObject({ isPublic: false });
});

test.each([
  ['https://page.example/a?next=http://localhost/', 'page.example'],
  ['page.example/a', 'page.example'],
  [' HTTPS://Page.Example./ ', 'page.example.'],
  ['https://8.8.8.8/', '8.8.8.8'],
  ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
])('clearly public: %s', (address, host) => {
  expect(addressOf('url', address)).toMatchObject({ host, isPublic: true });
});

test('whatever an argument is called, an address of this machine is one; words are none', () => {
  for (const text of ['localhost/admin', '127.0.0.1/admin', ' http:127.0.0.1', 'db.internal:5432'])
    expect(addressOf('query', text), text).toMatchObject({ isPublic: false });
  for (const text of ['tulip', 'tulip fire', 'tcp/ip', 'src/app.ts', 'Note: see', '2026', 'Diary.md', ''])
    expect(addressOf('query', text), text).toBeNull();
});

test('a megabyte of anything is read in a moment', () => {
  for (const unit of [' ', '\u0000', '\t', '.', '/', 'a:', '.local'])
    for (const text of [`x${unit.repeat(500_000)}!`, `http://x${unit.repeat(500_000)}x/`])
      expect(
        cpuTime(() => addressOf('url', text)),
        unit,
      ).toBeLessThan(1_000);
});
