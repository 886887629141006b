import { expect, test } from 'vitest';
import { boundedLines } from './bounded-lines';

const longest = 500;
const long = 'x'.repeat(longest);
const about = { params: { id: 3, text: long } };

test.each([
  ['as the first key', { jsonrpc: '2.0', id: 7, ...about }, 7],
  ['as the last key', { ...about, jsonrpc: '2.0', id: 'seven' }, 'seven'],
  ['before the version', { ...about, id: 7, jsonrpc: '2.0' }, 7],
  ['nowhere', { jsonrpc: '2.0', ...about }, null],
  ['of something else', { jsonrpc: '2.0', text: long, params: { a: 1, id: 3 } }, null],
])(
  'a line that is too long is answered by its id, which stands %s, and those around it pass',
  async (_, message, id) => {
    const refused: string[] = [];
    const lines = boundedLines((answer) => refused.push(answer), longest);
    const whole = Buffer.from(`{"a":1}\n${JSON.stringify(message)}\r\n{"b":2}\n`);
    for (let at = 0; at < whole.length; at += 37) lines.write(whole.subarray(at, at + 37));
    lines.end();
    const passed = (await lines.toArray()).join('').split('\n');
    expect([passed[0], passed[2], passed[3]]).toEqual(['{"a":1}', '{"b":2}', '']);
    expect(passed[1]).toHaveLength(longest);
    expect(refused.map((answer) => JSON.parse(answer))).toMatchObject([{ id, error: { code: -32600 } }]);
  },
);
