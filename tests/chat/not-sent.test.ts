import { expect, test } from 'vitest';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

test('what the model does not take is said above its answer, once, and what it costs is weighed', async () => {
  const house = createHouse({
    note: '#User : Sum up ![[Paper.pdf]] and ![[small.png]]',
    files: { 'Paper.pdf': 'not sent', 'small.png': Buffer.alloc(5_000) },
    scripts: [() => says('I see one.'), () => says('Still one.')],
  });
  const preview = await house.chat.preview(
    { path: house.path, at: house.note.text().length, version: house.note.version },
    AbortSignal.timeout(5_000),
  );
  expect(preview.warnings).toEqual(['![[Paper.pdf]] is not sent: this model does not take application/pdf.']);
  expect(preview.unsent).toEqual(preview.warnings);
  // Of a size that nobody can read off it, a picture counts as a large one.
  expect(preview.estimatedTokens).toBeGreaterThan(1_500);

  const run = await house.answer();
  expect(run.notices).toEqual(preview.warnings);
  const said = '> [!info] Not sent\n> `Paper.pdf` is not sent: this model does not take application/pdf.';
  expect(house.note.text()).toContain(`${said}\n\nI see one.`);
  expect(JSON.stringify(house.requests[0]?.messages)).not.toContain('[!info]');

  const end = house.note.text().length;
  house.note.edit('me', { from: end, to: end, insert: 'And now?' });
  const next = await house.answer();
  expect(next.notices).toBeUndefined();
  expect(house.note.text().split('[!info] Not sent')).toHaveLength(2);
});

test('a PDF that goes along is weighed', async () => {
  const house = createHouse({
    note: '#User : Sum up ![[Paper.pdf]]',
    files: { 'Paper.pdf': '%PDF-1.4\n<< /Type /Page >>\n<< /Type /Page >>\n' },
    provider: { accepts: { images: true, pdf: true } },
  });
  const at = house.note.text().length;
  const preview = await house.chat.preview({ path: house.path, at, version: 0 }, AbortSignal.timeout(30_000));
  expect(preview.unsent).toEqual([]);
  expect(preview.estimatedTokens).toBeGreaterThan(4_000);
});
