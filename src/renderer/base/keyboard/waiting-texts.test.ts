import { expect, test } from 'vitest';
import type { Tab } from '../layout/layout-state';
import { createWaitingTexts, stepsOf, type Typed, textOf } from './waiting-texts';

const tab = (id: string, path: string): Tab => ({ id, kind: 'note', path });
const type = (typed: Typed | null, text: string) => {
  if (typed) typed.last = { text, caret: text.length };
};
const said = (typed: readonly Typed[]) => typed.map((one) => textOf(stepsOf(one)));
const editor = (path: string, readOnly = false) => ({ path, readOnly });

test('what is typed while a note is made is for it once its path is known', () => {
  const texts = createWaitingTexts();
  const request = { path: null };
  expect(texts.begin(request)).toBe(false);
  type(texts.shownAt('other.md'), 'one');
  expect(texts.begin({ path: 'new.md', origin: request })).toBe(true);
  expect(texts.shownAt('new.md')?.last.text).toBe('one');
  expect(texts.shownAt('other.md')).toBeNull();
});

test('an editor gets what was typed for its note, but not while that note is the one asked for last', () => {
  const texts = createWaitingTexts();
  texts.begin({ path: 'a.md' });
  type(texts.current(), 'for a');
  expect(said(texts.takeArrived(editor('a.md')))).toEqual([]);
  texts.begin({ path: 'b.md' });
  type(texts.current(), 'for b');
  expect(said(texts.takeArrived(editor('a.md')))).toEqual(['for a']);
  expect(said(texts.takeArrived(editor('a.md')))).toEqual([]);
  expect(texts.hasText()).toBe(true);
});

test('into an editor that cannot be written in nothing is put', () => {
  const texts = createWaitingTexts();
  texts.begin({ path: 'a.md' });
  type(texts.current(), 'for a');
  texts.endCurrent();
  expect(texts.takeArrived(editor('a.md', true))).toEqual([]);
  type(texts.shownAt('a.md'), '');
  expect(texts.takeArrived(editor('a.md', true))).toHaveLength(1);
});

test('a note asked for again goes on with what was typed for it, and is the last', () => {
  const texts = createWaitingTexts();
  texts.begin({ path: 'a.md' });
  type(texts.current(), 'a');
  texts.begin({ path: 'b.md' });
  type(texts.current(), 'b');
  expect(texts.begin({ path: 'a.md' })).toBe(true);
  expect(texts.current()?.last.text).toBe('a');
  expect(said(texts.takeAll())).toEqual(['b', 'a']);
});

test('what was typed for a note follows its tab, and is given back when that is closed', () => {
  const texts = createWaitingTexts();
  const [before, moved] = [[tab('1', 'a.md')], [tab('1', 'folder/a.md')]];
  texts.begin({ path: 'a.md' });
  type(texts.current(), 'text');
  expect(texts.takeClosed(moved, before)).toEqual([]);
  expect(texts.current()?.path).toBe('folder/a.md');
  expect(said(texts.takeClosed([], moved))).toEqual(['text']);
  expect(texts.current()).toBeNull();
});

test('of a note that could not be made all that was typed comes back, keys before it included', () => {
  const texts = createWaitingTexts();
  const request = { path: null };
  texts.begin(request);
  texts.current()?.steps.push({ text: 'one ', caret: 4 }, { key: 'Enter' } as KeyboardEvent);
  type(texts.current(), 'two');
  expect(said([texts.takeOf(request)].flatMap((typed) => typed ?? []))).toEqual(['one two']);
  expect(texts.takeOf(request)).toBeUndefined();
});

test('an empty one stays only as long as its note is waited for', () => {
  const texts = createWaitingTexts();
  texts.begin({ path: 'a.md' });
  texts.dropEmpty();
  expect(texts.shownAt('a.md')).not.toBeNull();
  texts.endCurrent();
  texts.dropEmpty();
  expect(texts.shownAt('a.md')).toBeNull();
});
