import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { afterEach, expect, test } from 'vitest';
import { useLanguage } from '../../../base/text/text';
import { noteContext, setContext } from '../context/note-context';
import { blocksField } from '../reading/blocks';
import { tagCompletion } from './completion';

const english = {
  newChat: ['NewChat'],
  user: ['User', '我'],
  system: ['System'],
  assistant: ['Claude', '通义'],
};

function offered(text: string, tags = english): string[] {
  const bare = EditorState.create({ doc: text, extensions: [noteContext, blocksField] });
  const { state } = bare.update({ effects: setContext.of({ tags }) });
  const result = tagCompletion(new CompletionContext(state, text.length, false));
  return (result?.options ?? []).map(({ label }) => label);
}

const before = useLanguage.getState();
afterEach(() => useLanguage.setState(before));

test('a sign that may begin a heading offers an English reader no names of another script', () => {
  useLanguage.setState({ language: 'en' });
  expect(offered('#')).toEqual(['#Claude', '#User', '#System', '#NewChat']);
  expect(offered('# ')).toEqual([]);
  expect(offered('## ')).toEqual([]);
  // Who types such a letter is offered the names that have it.
  expect(offered('#我')).toContain('#我');
});

test('a Chinese reader is offered every name at once', () => {
  useLanguage.setState({ language: 'zh' });
  expect(offered('#')).toEqual(['#Claude', '#通义', '#User', '#我', '#System', '#NewChat']);
});

test('a tag is one however its accents are written, as the core reads it', () => {
  useLanguage.setState({ language: 'en' });
  const tags = { ...english, newChat: ['\u00c9tude'] };
  expect(offered('#E\u0301tude #U', tags)).toContain('#User');
  expect(offered('#Nobody #U', tags)).toEqual([]);
});
