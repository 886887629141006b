import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { catalogTool } from './support/scripted-mcp';
import { calls, says } from './support/scripted-provider';

const find = catalogTool();

/** Work that ends only by being stopped. */
const untilStopped =
  (onStopped: () => void = () => undefined) =>
  (_args: unknown, signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        onStopped();
        reject(new AppError('request.cancelled', 'Cancelled.', {}));
      });
    });

test('stopping in the middle of the text keeps it, and adds nothing but the person’s next turn', async () => {
  const house = createHouse({
    note: '#User : tell',
    scripts: [
      async function* (_request, signal) {
        yield { kind: 'text', text: 'Once upon a time' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new AppError('provider.failed', 'Cancelled.', {
          provider: 'Claude',
          failure: 'cancelled',
          status: null,
          retryAfterMs: null,
        });
      },
    ],
  });
  const { runId, finished } = await house.ask();
  await until(() => house.note.text().includes('Once'));
  house.chat.stop(runId);
  expect((await finished).phase).toEqual({ kind: 'finished', reason: 'cancelled' });
  expect(house.note.text()).toBe('#User : tell\n\n#Claude : Once upon a time\n\n#User : ');
});

test('stopping before the first word leaves the note as it was', async () => {
  const house = createHouse({
    note: '#User : tell\n',
    scripts: [
      async function* (_request, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* says('too late');
      },
    ],
  });
  const { runId, finished } = await house.ask(3);
  await until(() => house.requests.length === 1);
  house.chat.stop(runId);
  await finished;
  expect(house.note.text()).toBe('#User : tell\n');
});

test.each([
  ['of its own', '#User : tell\n'],
  ['that waited', '#User : tell\n\n#Claude : \n'],
])('a tag %s that is stopped before the first word is followed by no turn', async (_what, note) => {
  const house = createHouse({
    note,
    scripts: [
      async function* (_request, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* says('too late');
      },
    ],
  });
  const { runId, finished } = await house.ask(note.trimEnd().length);
  await until(() => house.requests.length === 1);
  house.chat.stop(runId);
  await finished;
  expect(house.note.text().replace(/ +$/m, '')).toBe(note.replace(/ +$/m, ''));
});

test.each([
  ['above it', '#User : tell\n', (note: string) => note.indexOf('tell'), '#User : NOW tell\n'],
  [
    'below it',
    '#User : tell\n\n#User : next',
    (note: string) => note.indexOf('next'),
    '#User : tell\n\n#User : NOW next',
  ],
])(
  'a tag is taken back where it stands by then, whatever was typed %s meanwhile',
  async (_where, note, placeIn, after) => {
    const house = createHouse({
      note,
      scripts: [
        async function* (_request, signal) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          yield* says('too late');
        },
      ],
    });
    const { runId, finished } = await house.ask(3);
    await until(() => house.requests.length === 1);
    house.note.edit('person', { from: placeIn(house.note.text()), insert: 'NOW ' });
    house.chat.stop(runId);
    await finished;
    expect(house.note.text()).toBe(after);
  },
);

test('what was typed behind a tag that is taken back stays, and the tag with it', async () => {
  const house = createHouse({
    note: '#User : tell\n',
    scripts: [
      async function* (_request, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* says('too late');
      },
    ],
  });
  const { runId, finished } = await house.ask(3);
  await until(() => house.requests.length === 1);
  const behind = house.note.text().indexOf('#Claude : ') + '#Claude : '.length;
  house.note.edit('person', { from: behind, insert: 'mine' });
  house.chat.stop(runId);
  await finished;
  expect(house.note.text()).toContain('#User : tell\n\n#Claude : mine');
});

test('an answer that is cut short as the app goes is followed by the person’s next turn', async () => {
  const house = createHouse({
    note: '#User : tell',
    scripts: [
      async function* () {
        yield { kind: 'text', text: 'Once' };
        await new Promise(() => undefined);
      },
    ],
  });
  const { finished } = await house.ask();
  await until(() => house.note.text().includes('Once'));
  await house.chat.close();
  expect((await finished).phase).toEqual({ kind: 'broke-off' });
  expect(house.note.text()).toMatch(
    /#Claude : Once\n\n> \[!failure\][\s\S]*<!-- broke-off sum=\w+ -->\n\n#User : $/,
  );
});

test('stopping in the middle of a call cancels it at once, keeps the text and says so', async () => {
  let cancelledAtServer = false;
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: { find: untilStopped(() => (cancelledAtServer = true)) },
    scripts: [() => calls('I look.', { id: 'a', name: 'memory__find', arguments: {} })],
  });
  const { runId, finished } = await house.ask();
  await until(() => house.made.length === 1);
  expect(house.note.text()).toContain('running');
  house.chat.stop(runId);
  const picture = await finished;
  expect(cancelledAtServer).toBe(true);
  expect(picture.phase).toEqual({ kind: 'finished', reason: 'cancelled' });
  expect(picture.calls[0]?.state).toBe('cancelled');
  expect(house.note.text()).toContain('I look.');
  expect(house.note.text()).toContain('result cancelled');
  expect(house.note.text()).not.toContain('running');
});

test('one call is stopped alone; the model is told and goes on', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: { find: untilStopped() },
    scripts: [() => calls('', { id: 'a', name: 'memory__find', arguments: {} }), () => says('Then without.')],
  });
  const { finished } = await house.ask();
  await until(() => house.made.length === 1);
  const [run] = house.chat.runs.get();
  house.chat.stopCall((run?.kind === 'answer' && run.calls[0]?.callId) || '');
  expect((await finished).phase).toEqual({ kind: 'finished', reason: 'stop' });
  expect(house.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
  expect(house.note.text()).toContain('Then without.');
});

test('stop does not wait for a provider that goes on regardless', async () => {
  const house = createHouse({
    note: '#User : tell',
    scripts: [
      async function* () {
        yield { kind: 'text', text: 'One' };
        await new Promise(() => undefined);
      },
    ],
  });
  const { runId, finished } = await house.ask();
  await until(() => house.note.text().includes('One'));
  house.chat.stop(runId);
  expect((await finished).phase).toEqual({ kind: 'finished', reason: 'cancelled' });
});
