import { expect, test } from './support/fixtures';

const blockOf = (server: string) => `\`\`\`${server}\ntool: look\nword: x\n\`\`\`\n`;

test.use({
  servers: {
    Away: { command: process.execPath, args: ['-e', ''], enabled: false },
    Breaks: { command: process.execPath, args: ['-e', 'process.exit(1)'], restarts: 0 },
  },
  notes: { 'Plan.md': `# Plan\n\n${blockOf('Away')}\n${blockOf('Breaks')}\nBelow.\n` },
});

test('a block says that its server is off, and why, before it is run', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  await expect(page.getByText('Away is turned off.')).toBeVisible();
  await expect(page.getByText('Breaks was turned off after failures.')).toBeVisible();
});
