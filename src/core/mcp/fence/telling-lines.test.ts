import { expect, test } from 'vitest';
import { tellingLines } from './telling-lines';

const node = [
  'node:internal/modules/cjs/loader:1210',
  '  throw err;',
  '  ^',
  '',
  "Error: Cannot find module '/nowhere.js'",
  '    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)',
  "  code: 'MODULE_NOT_FOUND',",
  '}',
  '',
  'Node.js v20.20.2',
];
const python = [
  'Traceback (most recent call last):',
  '  File "server.py", line 1, in <module>',
  "ModuleNotFoundError: No module named 'mcp'",
];
const npm = [
  'npm error code E404',
  'npm error 404 Not Found - GET https://example.com/nothing',
  'npm error 404',
  'npm error A complete log of this run can be found in: /tmp/log',
];

test.each([
  ['Node', node, ["Error: Cannot find module '/nowhere.js'"]],
  ['Python', python, ["ModuleNotFoundError: No module named 'mcp'"]],
  ['npm', npm, [...npm.slice(0, 3)]],
  ['a shell', ['sh: 1: uvx: not found'], ['sh: 1: uvx: not found']],
  ['a program without an error', ['one', 'two', '', 'three', 'four', ''], ['two', 'three', 'four']],
  ['nothing', [], []],
])('of what %s writes the lines are shown that say why it ended', (_who, written, told) => {
  expect(tellingLines(written)).toEqual(told);
});
