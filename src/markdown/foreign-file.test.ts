import { expect, test } from 'vitest';
import { fileName } from './foreign-file';

test.each([
  ['report.json', 'application/json', 'report.json'],
  ['file:///beds/export.csv', '', 'export.csv'],
  ['Q4 Report', 'application/pdf', 'Q4 Report.pdf'],
  ['Übersicht 四.PNG', 'image/png', 'Übersicht 四.PNG'],
  ['photo.png', 'text/plain', 'photo.png'],
])('%s of type %s is called %s', (wanted, mediaType, name) => {
  expect(fileName(wanted, mediaType)).toBe(name);
});

test.each([
  ['setup.exe', 'application/x-msdownload', 'setup.exe.bin'],
  ['setup.exe', 'image/png', 'setup.exe.png'],
  ['beds.desktop', 'text/plain', 'beds.desktop.txt'],
  ['page.html', 'text/html', 'page.html.bin'],
  ['note.md', 'text/markdown', 'note.md.bin'],
  ['picture.svg', 'image/svg+xml', 'picture.svg.bin'],
  ['photo.png.exe', '', 'photo.png.exe.bin'],
  ['photo.png.', '', 'photo.png'],
  [`photo.png${' '.repeat(200)}.exe`, '', 'photo.png .exe.bin'],
])('an ending that runs or opens something does not end a name: %s of type %s', (wanted, type, name) => {
  expect(fileName(wanted, type)).toBe(name);
});

test.each([
  ['../../.bashrc', 'text/plain', 'bashrc.txt'],
  ['C:\\Windows\\system.ini', 'text/plain', 'system.ini.txt'],
  ['...', 'text/plain', 'file.txt'],
  ['', '', 'file.bin'],
  ['a/b/', 'text/plain', 'b.txt'],
  ['..\u202e.txt', '', 'txt.bin'],
  ['gpj.\u202eexe\u202c.txt', '', 'gpj.exe.txt'],
  ['a\u0000\n\tb\u200b.txt', '', 'a b.txt'],
  ['con.txt', '', '_con.txt'],
  ['NUL', 'text/plain', '_NUL.txt'],
  ['beds.txt:stream', 'text/plain', 'beds.txt-stream.txt'],
  ['a<b>"c"|d?e*f.txt', '', 'a-b--c--d-e-f.txt'],
  ['\ud800.txt', '', '\ufffd.txt'],
])('%j has no way out, no hidden sign and a name that every system takes', (wanted, mediaType, name) => {
  expect(fileName(wanted, mediaType)).toBe(name);
});

test('a name of any length fits into a file system', () => {
  for (const sign of ['a', '花', '🌱'])
    expect(new TextEncoder().encode(fileName(`${sign.repeat(5_000)}.webp`, '')).length).toBeLessThan(255);
});
