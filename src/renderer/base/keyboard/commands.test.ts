import { expect, test } from 'vitest';
import { type Command, commandFor, useCommands } from './commands';

const command = (id: string, title: string): Command => ({ id, title, run: () => undefined });
const titles = () => [...useCommands.getState().commands.values()].map(({ title }) => title);

test('who registers a command anew stands in its place, and gives it back', () => {
  const { register } = useCommands.getState();
  const leave = register([command('note.answer', 'Answer'), command('other', 'Other')]);
  const leaveFirst = register([command('note.answer', 'Answer in the first note')]);
  const leaveSecond = register([command('note.answer', 'Answer in the second note')]);
  expect(titles()).toEqual(['Answer in the second note', 'Other']);
  leaveSecond();
  expect(titles()).toEqual(['Answer in the first note', 'Other']);
  leaveFirst();
  expect(titles()).toEqual(['Answer', 'Other']);
  leave();
  expect(titles()).toEqual([]);
});

test('a command is run by the keys that are told, and by those that only some windows hand on', () => {
  const leave = useCommands
    .getState()
    .register([{ ...command('note.new', 'New note'), keys: 'Alt-Shift-n', heardToo: 'Ctrl-n' }]);
  const held = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, code: 'KeyN' };
  expect(commandFor({ ...held, key: 'N', altKey: true, shiftKey: true })?.id).toBe('note.new');
  expect(commandFor({ ...held, key: 'n', ctrlKey: true })?.id).toBe('note.new');
  expect(commandFor({ ...held, key: 'n' })).toBeUndefined();
  leave();
});
