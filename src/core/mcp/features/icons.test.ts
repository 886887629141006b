import { expect, test } from 'vitest';
import { createIconShare, iconOf } from './icons';

const png = 'data:image/png;base64,iVBORw0KGgo=';
const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';

test.each([
  'https://example.com/icon.png',
  'http://127.0.0.1/icon.png',
  '//example.com/icon.png',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg,x',
  'vault://icon.png',
  `data:image/png;base64,${'A'.repeat(30_000)}`,
  '',
  7,
  null,
])('an icon that is %s is neither fetched nor shown', (src) => {
  expect(iconOf([{ src }])).toBeNull();
});

test('of icons that came along the one for both themes is taken', () => {
  expect(iconOf([{ src: 'https://example.com/a.png' }, { src: png, theme: 'dark' }, { src: svg }])).toBe(svg);
  expect(iconOf([{ src: png, theme: 'dark' }])).toBe(png);
  expect(iconOf('nothing')).toBeNull();
});

test('a list carries only so much of icons', () => {
  const share = createIconShare();
  const large = { src: `data:image/png;base64,${'A'.repeat(20_000)}` };
  const carried = Array.from({ length: 100 }, () => share([large])).filter((icon) => icon !== null);
  expect(carried.length).toBeGreaterThan(5);
  expect(carried.length).toBeLessThan(20);
});
