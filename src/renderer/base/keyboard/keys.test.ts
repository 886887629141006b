import { expect, test } from 'vitest';
import { keyLabels, keysBesideBrowser, matchesKeys, type Pressed } from './keys';

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test('Mod is Command on a Mac and Control elsewhere, and only that', () => {
  expect(matchesKeys('Mod-p', press('p', { ctrlKey: true }), false)).toBe(true);
  expect(matchesKeys('Mod-p', press('p', { metaKey: true }), false)).toBe(false);
  expect(matchesKeys('Mod-p', press('p', { metaKey: true }), true)).toBe(true);
  expect(matchesKeys('Mod-p', press('p', { ctrlKey: true }), true)).toBe(false);
});

test('one key too many is another shortcut', () => {
  expect(matchesKeys('Mod-Shift-t', press('T', { ctrlKey: true, shiftKey: true }), false)).toBe(true);
  expect(matchesKeys('Mod-Shift-t', press('t', { ctrlKey: true }), false)).toBe(false);
  expect(matchesKeys('Mod-t', press('T', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
});

test('a letter under Alt is known by its place, since Alt changes what it types', () => {
  const pressed = press('∫', { metaKey: true, altKey: true, code: 'KeyB' });
  expect(matchesKeys('Mod-Alt-b', pressed, true)).toBe(true);
});

test('beside a browser’s own keys others are told, and both are heard', () => {
  expect(keysBesideBrowser('Mod-n', 'Alt-Shift-n', true)).toEqual({
    keys: 'Alt-Shift-n',
    heardToo: 'Mod-n',
  });
  expect(keysBesideBrowser('Mod-n', 'Alt-Shift-n', false)).toEqual({ keys: 'Mod-n' });
});

test('keys read as they stand on the keyboard', () => {
  expect(keyLabels('Mod-Shift-t', false)).toEqual(['Ctrl', 'Shift', 'T']);
  expect(keyLabels('Mod-Shift-t', true)).toEqual(['⌘', '⇧', 'T']);
});
