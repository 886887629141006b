import { expect, test } from 'vitest';
import { cost } from '../../../tests/support/hostile-texts';
import { readHookText } from './hook-text';

const textOf = (count: number, on = 'saved') =>
  JSON.stringify(
    { hooks: Array.from({ length: count }, (_, at) => ({ name: `h${at}`, on, run: { prompt: 'p' } })) },
    null,
    1,
  );

test('of more hooks than anybody reads only the first are used, and the file says so', () => {
  const { hooks, problems } = readHookText(textOf(1_200));
  expect(hooks).toHaveLength(1_000);
  expect(problems).toEqual([
    { message: 'Only the first 1,000 of the 1,200 hooks are used.', line: 2 + 7 * 1_000 + 1 },
  ]);
});

test('a problem tells its line, whatever came before it', () => {
  const text =
    '{"hooks": [\n{"name": "a",\n"every": 3,\n"on": "never", "run": {"prompt": ""}},\n\n{"name": "b"}]}';
  expect(readHookText(text).problems.map(({ line }) => line)).toEqual([4, 3, 4, 6, 6]);
});

test('a hook with a number that would be sent as another one is not used, and the number is named', () => {
  const hook = (n: string) =>
    `{"name": "pay", "on": "saved", "run": {"tool": "bank/pay", "arguments": {"to": [${n}, /* all */]}}}`;
  const read = (n: string) => readHookText(`{"hooks": [\n${hook(n)}\n]}`);
  expect(read('9007199254740993')).toEqual({
    hooks: [],
    problems: [{ message: expect.stringContaining('pay: It holds the number 9007199254740993'), line: 2 }],
  });
  expect(read('9007199254740991').hooks).toHaveLength(1);
});

test.each(['saved', 'never'])('20,000 hooks that are for “%s” are read at once', (on) => {
  const text = textOf(20_000, on);
  expect(cost(() => readHookText(text), 1_500)).toBeLessThan(1_500);
});
