import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { guardedPage } from './guarded-page';

const begins =
  /^(?:'use strict';)?(?:\(0,eval\)\(")?if\(this\.parent!==this\.top\)throw 0;delete this\.RTCPeerConnection;/;
/** The texts of a page’s scripts, as far as plain pages go. */
const texts = (html: string) =>
  [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script/gi)].map(([, text = '']) => text);
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test.each([
  ['classic', '<!doctype html><html lang="en"><head><script>one()</script></head>'],
  ['strict', '<script>"use strict"; one()</script>'],
  ['a module', '<script type="module">import x from "y"; one()</script>'],
  ['in a drawing', '<svg><script>one()</script></svg>'],
  ['in a template', '<template><script>one()</script></template>'],
  ['with line ends of Windows', '<script>\r\none()\r\n</script>'],
])('every script that may run begins with the guard: %s', (_, page) => {
  const { html, scripts } = guardedPage(page);
  const found = texts(html);
  expect(found).toHaveLength(2);
  for (const text of found) expect(text).toMatch(begins);
  expect(scripts).toEqual(found.map(sourceOf));
});

test('the first script of a page is ours, whatever stands before it', () => {
  for (const page of ['<script>one()</script>', '<!-- a --><!doctype html><script>one()</script>', '<p>'])
    expect(texts(guardedPage(page).html)[0]).toMatch(/^if\(this\.parent.*\(\(\) => \{/);
});

test('what is no script is let in as it is, and never as a script', () => {
  const map = '{"imports":{}}';
  expect(guardedPage(`<script type="importmap">${map}</script>`).scripts).toContain(sourceOf(map));
  for (const type of ['importmap', 'speculationrules', 'text/plain', 'application/json'])
    expect(guardedPage(`<script type="${type}">leak()</script>`).scripts, type).toHaveLength(1);
});

test('links that only connect are left out', () => {
  const { html } = guardedPage(
    '<link rel="preconnect" href="https://a.example"><LINK REL="dns-prefetch" href="//b">',
  );
  expect(html).not.toMatch(/<link/i);
});
