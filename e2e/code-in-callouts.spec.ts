import { expect, test } from './support/fixtures';

test.use({
  notes: {
    'Code.md': [
      '# Code',
      '',
      '> [!note] How',
      '> ```sh',
      '> # a comment',
      '> ~~~',
      '> ```',
      '> ## What follows',
      '',
      'The end.',
    ].join('\n'),
  },
});

test('a comment in the code of a callout is no heading', async ({ app }) => {
  const { page } = app;
  await app.openNote('Code');
  await page.getByText('The end.').click();
  await expect(page.locator('.cm-callout', { hasText: 'a comment' })).toHaveText('# a comment');
  await expect(page.locator('.cm-heading')).toHaveText(['Code', 'What follows']);
});
