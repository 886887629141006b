import { parseConversation } from '../src/markdown';
import { type AppUnderTest, demoQuick, expect, test } from './support/fixtures';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Demo'] };
const turnsOf = (text: string) => parseConversation(text, tags, ['vault']).turns;
const callsOf = (text: string) =>
  turnsOf(text).flatMap((turn) => turn.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : [])));

/** Without what differs from run to run: times, hashes and the JSON of results. */
const settled = (text: string) =>
  text
    .replaceAll(/\d+ ms$/gm, '… ms')
    .replaceAll(
      /ms=\d+ at=\S+ turn=(\d) def=\S+ id=\S+ parts=\w{6}$/gm,
      'ms=… at=… turn=$1 def=… id=… parts=…',
    )
    .replaceAll(/> (`{3,})json\n(> .*\n)*?> \1$/gm, '> ```json\n> …\n> ```');

const call = (turn: number, tool: string, ...lines: string[]) =>
  [
    `[!tool]- vault · ${tool} · … ms`,
    '```vault',
    `tool: ${tool}`,
    ...lines,
    '```',
    `\`\`\`result ok ms=… at=… turn=${turn} def=… id=… parts=…`,
    '```',
    '```json',
    '…',
    '```',
  ]
    .map((line) => `> ${line}\n`)
    .join('');

const answered = `# Garden

#User : What is still open for opening day?

#Demo : I’ll look which notes there are.

${call(1, 'list_files')}
These look most like it: [[Project/Opening day]], [[Project/Seeds]], [[Question]]. I’ll read them.

${call(2, 'read_docs', 'paths:', '  - Project/Opening day.md')}
${call(2, 'read_docs', 'paths:', '  - Project/Seeds.md')}
${call(2, 'read_docs', 'paths:', '  - Question.md')}
Still open:

- [ ] Print the labels ([[Project/Opening day]])
- [ ] Hang up the poster ([[Project/Opening day]])

I read [[Project/Opening day]], [[Project/Seeds]], [[Question]].

#User : 
`;

test.use({
  settings: demoQuick,
  notes: {
    'Question.md': '# Garden\n\n#User : What is still open for opening day?\n',
    'Project/Opening day.md':
      '# Opening day\n\n- [x] Find a cupboard\n- [ ] Print the labels\n- [ ] Hang up the poster\n',
    'Project/Seeds.md': '# Seeds\n\nBeans, peas and lettuce.\n',
  },
});

/** Asks what stands in the note, or this in its place. */
async function ask({ page, openNote }: AppUnderTest, instead?: string): Promise<void> {
  await openNote('Question');
  await page.getByText('What is still open').click();
  if (instead === undefined) await page.keyboard.press('End');
  else {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(`#User : ${instead}`);
  }
  await page.keyboard.press('ControlOrMeta+Enter');
}

test('the main job: ask, approve by keyboard, watch it stream, find the calls folded in the note', async ({
  app,
}) => {
  const { page } = app;
  await ask(app);

  await expect(page.getByRole('article').getByText('list_files').first()).toBeVisible();
  expect(await app.readNote('Question.md')).not.toContain('result ok');
  await app.decide('list_files', 'Alt+y');
  await app.decide('read_docs', 'Alt+a');

  await expect(page.getByText('Print the labels').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();
  await expect(page.locator('.cm-content')).not.toContainText('tool: list_files');

  await expect
    .poll(async () => turnsOf(await app.readNote('Question.md')).map((turn) => turn.role))
    .toEqual(['user', 'assistant', 'user']);
  await expect.poll(async () => settled(await app.readNote('Question.md'))).toBe(answered);
});

test('an answer stopped half-way keeps its text, and the next question is answered below it', async ({
  app,
}) => {
  const { page } = app;
  await ask(app, 'Tell me a long story');
  await expect.poll(async () => (await app.readNote('Question.md')).length).toBeGreaterThan(300);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();

  await expect.poll(async () => (await app.readNote('Question.md')).includes('#Demo : ')).toBe(true);
  await expect(page.locator('.note-save')).toHaveText('Saved');
  const stopped = await app.readNote('Question.md');
  const [, answer] = turnsOf(stopped);
  expect(stopped.length - (answer?.contentFrom ?? 0)).toBeGreaterThan(200);

  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('hello');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect
    .poll(async () => turnsOf(await app.readNote('Question.md')).map((turn) => turn.role))
    .toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  expect((await app.readNote('Question.md')).startsWith(stopped.trimEnd())).toBe(true);
});

test('a follow-up reads the notes anew: they may be others by now', async ({ app }) => {
  const { page } = app;
  await ask(app);
  for (const tool of ['list_files', 'read_docs']) await app.decide(tool, 'Alt+a');
  await expect.poll(async () => turnsOf(await app.readNote('Question.md')).length).toBe(3);
  // An answer that ends takes no question.
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('And what is still open for opening day?');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(async () => turnsOf(await app.readNote('Question.md')).length).toBe(5);
  const calls = callsOf(await app.readNote('Question.md'));
  expect(calls.filter((call) => call.tool === 'list_files').length).toBeGreaterThan(1);
  expect(calls.filter((call) => call.result.cached)).toEqual([]);
});

test('reloading the page during an answer loses nothing and doubles nothing', async ({ app }) => {
  const { page } = app;
  await ask(app, 'Tell me a long story');
  await expect.poll(async () => (await app.readNote('Question.md')).length).toBeGreaterThan(300);
  const before = await app.readNote('Question.md');
  await page.reload();
  await app.openNote('Question');
  await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible({ timeout: 120_000 });
  await expect.poll(async () => turnsOf(await app.readNote('Question.md')).length).toBe(3);
  const after = await app.readNote('Question.md');
  expect(after.startsWith(before.trimEnd())).toBe(true);
  expect(after.split('#Demo :')).toHaveLength(2);
});
