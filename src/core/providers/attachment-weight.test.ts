import { expect, test } from 'vitest';
import { attachmentTokens } from './attachment-weight';

const weigh = (mediaType: string, bytes: string | Buffer) =>
  attachmentTokens({ name: 'a', mediaType, base64: Buffer.from(bytes).toString('base64') });
const page = '<< /Type /Page /Parent 1 0 R >>\n';

test.each([
  ['by its pages, not by the list of them', `%PDF-1.4\n<< /Type /Pages >>\n${page.repeat(3)}`, 6_000],
  ['also where they are written without a blank', '%PDF-1.4\n<</Type/Page>><</Type/Page>>', 4_000],
  ['by its size, where its pages are packed away', `%PDF-1.5\n${'x'.repeat(120_000)}`, 6_000],
  ['a page at least', '%PDF-1.4\n', 2_000],
])('a PDF weighs: %s', (_how, pdf, tokens) => {
  expect(weigh('application/pdf', pdf)).toBe(tokens);
});

test('a picture weighs by its area, a large one no more than vendors look at, a text by its length', () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(24);
    bytes.writeUInt32BE(0x89504e47, 0);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  expect(weigh('image/png', png(300, 100))).toBe(40);
  expect(weigh('image/png', png(4_000, 3_000))).toBe(1_600);
  expect(weigh('image/webp', 'unknown')).toBe(1_600);
  expect(weigh('text/plain', 'x'.repeat(300))).toBe(100);
});
