import { expect, test } from 'vitest';
import { isWrong, optionChanges, type ServerOptions } from './server-options';

const set: ServerOptions = {
  timeout: '5',
  initTimeout: '90',
  concurrency: '2',
  longRunning: true,
  roots: '/a\n/b',
  autostart: true,
  monitoring: 'off',
  checkInterval: '60',
  restarts: '0',
};

test('every setting that is cleared is taken away, and nothing is said of what stays', () => {
  expect(optionChanges(set, set)).toEqual({});
  const cleared: ServerOptions = {
    timeout: '',
    initTimeout: ' ',
    concurrency: '',
    longRunning: false,
    roots: '',
    autostart: true,
    monitoring: 'general',
    checkInterval: '',
    restarts: '',
  };
  expect(optionChanges(set, cleared)).toEqual({
    timeout: null,
    initTimeout: null,
    concurrency: null,
    longRunning: null,
    roots: null,
    monitoring: null,
    checkInterval: null,
    restarts: null,
  });
});

test('what is filled in is written in the units of the file', () => {
  expect(
    optionChanges(set, { ...set, timeout: '1.5', restarts: '3', roots: ' /c ', monitoring: 'on' }),
  ).toEqual({
    timeout: 1_500,
    restarts: 3,
    roots: ['/c'],
    monitoring: true,
  });
});

test('numbers that a setting cannot have are wrong, an empty field is not', () => {
  expect(['0', '-1', 'x', '1e9', 'Infinity'].every((text) => isWrong('timeout', text))).toBe(true);
  expect(isWrong('concurrency', '1.5')).toBe(true);
  expect(isWrong('restarts', '0') || isWrong('timeout', '') || isWrong('checkInterval', '2.5')).toBe(false);
});
