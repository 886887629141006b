import { expect, test } from 'vitest';
import { openDatabase } from '../../foundation';
import { createGivenPrompts } from './given-prompts';

const words = 'Please look at everything that stands in the diary.';

test('a prompt is known again by any longer line of it, also where it was escaped or stands among others', () => {
  const prompts = createGivenPrompts(openDatabase(':memory:', () => undefined));
  prompts.keep('tracker', 'help', [`Short.\n\n${words}\nAnd tell what you have read in it.`]);
  expect(prompts.within([`My own words.\n\n  ${words}\n`])).toEqual([{ server: 'tracker', name: 'help' }]);
  expect(prompts.within(['Hello.', 'And tell what you have read in it.'])).toHaveLength(1);
  expect(prompts.within(['Short.', words.slice(0, -1)])).toEqual([]);
});

test('what it said is kept as hashes, and of a hundred prompts', () => {
  const database = openDatabase(':memory:', () => undefined);
  const prompts = createGivenPrompts(database);
  for (let n = 0; n < 120; n++) prompts.keep('tracker', `help-${n}`, [`${words} ${n}`]);
  const rows = database.table<{ server: string; name: string; lines: string }>(
    'create table if not exists given_prompts (server text, name text, lines text, primary key (server, name))',
  );
  expect(rows.all()).toHaveLength(100);
  expect(JSON.stringify(rows.all())).not.toContain('diary');
  expect(prompts.within([`${words} 119`])).toHaveLength(1);
});
