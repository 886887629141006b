import { expect, test } from 'vitest';
import { keepsRest, linksOf } from './keeps-rest';

const tags = { newChat: ['new'], user: ['User'], assistant: ['Model'], system: ['System'] };
const keeps = (insert: string, links: readonly string[]) => {
  const note = '#User : What grows here?\n\n';
  const place = { from: note.length, to: note.length, insert };
  return keepsRest(note, place, { tags, servers: [] }, { turns: 0, blocks: 0, links });
};

test('what is inserted may link to what it is said to link to, as often as that is said and no more', () => {
  const links = linksOf('[[Garden]]');
  expect(links).toHaveLength(1);
  expect(keeps('[[Garden]]', links)).toBe(true);
  expect(keeps('[[Shed]]', links)).toBe(false);
  expect(keeps('[[Garden]] and [[Garden]]', links)).toBe(false);
  expect(keeps('[[Garden]] and [[Garden]]', [...links, ...links])).toBe(true);
});
