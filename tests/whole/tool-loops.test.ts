import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WireFormat } from '../../src/contract/providers';
import { createApp } from '../../src/core/app';
import { parseConversation } from '../../src/markdown';
import { createCommandLine } from '../hosts/command-line';
import { type ProviderServer, type SeenRequest, startProviderServer } from '../provider-server';

const repository = join(import.meta.dirname, '../..');
const wires = join(import.meta.dirname, '../fixtures/wire/loops');
const key = 'planted-key-7f3a91';
const said = 'Beans and peas are in the ground.';

/** The two answers of a format: first two calls of `read_docs`, of which one fails, then the words. */
function answersOf(format: WireFormat) {
  return readdirSync(wires)
    .filter((name) => name.startsWith(`${format}-`))
    .sort()
    .map((name) => ({ body: readFileSync(join(wires, name)), pieces: 'random' as const }));
}

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server[Symbol.asyncDispose]());

type Json = Record<string, unknown>;
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, part) => (found as Json | null | undefined)?.[part], value);
const listAt = (value: unknown, path: string) => (at(value, path) ?? []) as Json[];

interface Case {
  readonly format: WireFormat;
  readonly vendor: string;
  readonly model: string;
  readonly variable: string;
  readonly keyHeader: string;
  readonly path: string;
  /** The tools of a request: name and schema, where this format puts them. */
  readonly tools: (body: unknown) => { name: unknown; schema: unknown }[];
  /** What of the second request follows the question. */
  readonly goesOn: (body: unknown) => unknown[];
  /** The same as it has to be; `result` and `error` are checked against the note. */
  readonly expected: (result: unknown, error: unknown) => unknown[];
}

const functions = (body: unknown) =>
  listAt(body, 'tools').map((tool) => ({
    name: at(tool, 'function.name'),
    schema: at(tool, 'function.parameters'),
  }));
const afterQuestion = (list: Json[]) => list.slice(list.findIndex((message) => message.role === 'user') + 1);
const garden = { paths: ['Garden.md'] };
const missing = { paths: ['Missing.md'] };

const cases: Case[] = [
  {
    format: 'openai-chat',
    vendor: 'deepseek',
    model: 'deepseek-v4-flash',
    variable: 'DEEPSEEK_API_KEY',
    keyHeader: 'authorization',
    path: '/chat/completions',
    tools: functions,
    goesOn: (body) => afterQuestion(listAt(body, 'messages')),
    expected: (result, error) => [
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Two notes to read.',
        tool_calls: [garden, missing].map((args, index) => ({
          id: ['call_a', 'call_b'][index],
          type: 'function',
          function: { name: 'vault__read_docs', arguments: JSON.stringify(args) },
        })),
      },
      { role: 'tool', tool_call_id: 'call_a', content: result },
      { role: 'tool', tool_call_id: 'call_b', content: error },
    ],
  },
  {
    format: 'openai-responses',
    vendor: 'openai',
    model: 'gpt-5.6-terra',
    variable: 'OPENAI_API_KEY',
    keyHeader: 'authorization',
    path: '/v1/responses',
    tools: (body) => listAt(body, 'tools').map(({ name, parameters: schema }) => ({ name, schema })),
    goesOn: (body) => afterQuestion(listAt(body, 'input')),
    expected: (result, error) => [
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Two notes to read.' }],
        encrypted_content: 'ZW5jcnlwdGVk',
      },
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      ...[garden, missing].map((args, index) => ({
        id: ['fc_1', 'fc_2'][index],
        type: 'function_call',
        status: 'completed',
        call_id: ['call_a', 'call_b'][index],
        name: 'vault__read_docs',
        arguments: JSON.stringify(args),
      })),
      { type: 'function_call_output', call_id: 'call_a', output: result },
      { type: 'function_call_output', call_id: 'call_b', output: error },
    ],
  },
  {
    format: 'anthropic-messages',
    vendor: 'anthropic',
    model: 'claude-sonnet-5-5',
    variable: 'ANTHROPIC_API_KEY',
    keyHeader: 'x-api-key',
    path: '/v1/messages',
    tools: (body) => listAt(body, 'tools').map(({ name, input_schema: schema }) => ({ name, schema })),
    goesOn: (body) => afterQuestion(listAt(body, 'messages')),
    expected: (result, error) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two notes to read.', signature: 'c2lnbmVk' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_a', name: 'vault__read_docs', input: garden },
          { type: 'tool_use', id: 'toolu_b', name: 'vault__read_docs', input: missing },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', content: [{ type: 'text', text: result }] },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_b',
            content: [{ type: 'text', text: error }],
            is_error: true,
            cache_control: { type: 'ephemeral' },
          },
        ],
      },
    ],
  },
  {
    format: 'gemini-generateContent',
    vendor: 'gemini',
    model: 'gemini-3.8-flash',
    variable: 'GEMINI_API_KEY',
    keyHeader: 'x-goog-api-key',
    path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    tools: (body) =>
      listAt(body, 'tools.0.functionDeclarations').map(({ name, parametersJsonSchema: schema }) => ({
        name,
        schema,
      })),
    goesOn: (body) => afterQuestion(listAt(body, 'contents')),
    expected: (result, error) => [
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { name: 'vault__read_docs', args: garden }, thoughtSignature: 'c2lnbmVk' },
          { functionCall: { name: 'vault__read_docs', args: missing } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'vault__read_docs', response: { result } } },
          { functionResponse: { name: 'vault__read_docs', response: { error } } },
        ],
      },
    ],
  },
  {
    format: 'ollama-chat',
    vendor: 'ollama',
    model: 'qwen3:8b',
    variable: 'OLLAMA_API_KEY',
    keyHeader: 'authorization',
    path: '/api/chat',
    tools: functions,
    goesOn: (body) => afterQuestion(listAt(body, 'messages')),
    expected: (result, error) => {
      const ids = [expect.any(String), expect.any(String)];
      return [
        {
          role: 'assistant',
          content: 'I look.',
          thinking: 'Two notes to read.',
          tool_calls: [garden, missing].map((args, index) => ({
            id: ids[index],
            function: { name: 'vault__read_docs', arguments: args },
          })),
        },
        { role: 'tool', tool_name: 'vault__read_docs', tool_call_id: ids[0], content: result },
        { role: 'tool', tool_name: 'vault__read_docs', tool_call_id: ids[1], content: error },
      ];
    },
  },
];

async function askedThrough({ vendor, format, model, variable }: Case) {
  const commandLine = createCommandLine(
    { createApp },
    { appRoot: repository, environment: { [variable]: key } },
  );
  const vault = join(commandLine.folder, 'vault');
  mkdirSync(vault);
  writeFileSync(join(vault, 'Garden.md'), '# Garden\n\nBeans and peas are sown.\n');
  writeFileSync(join(vault, 'Question.md'), '#User : What grows?\n');
  server.answer(...answersOf(format));
  const code = await commandLine.run(
    ...['ask', join(vault, 'Question.md'), '--vault', vault, '--events', '--allow', 'vault/*'],
    ...['--provider', vendor, '--format', format, '--model', model, '--base-url', server.url],
  );
  return { code, ...commandLine, text: readFileSync(join(vault, 'Question.md'), 'utf8') };
}

const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

/** The answer stands under the provider's own tag. */
const tagsOf = (text: string) => ({
  newChat: ['NewChat'],
  user: ['User'],
  system: ['System'],
  assistant: [/^#(?!User)(\S+) :/m.exec(text)?.[1] ?? ''],
});

function bodies(requests: readonly SeenRequest[]): [unknown, unknown] {
  expect(requests).toHaveLength(2);
  return [requests[0]?.body, requests[1]?.body];
}

describe.each(cases)('a question answered over $format with two calls of the vault server', (one) => {
  test('is sent, called, sent back and written down as it has to be', async () => {
    const { code, printed, text } = await askedThrough(one);
    expect(printed.err).toBe('');
    const lines = linesOf(printed.out);
    expect(lines.find(({ kind }) => kind === 'error')).toBeUndefined();
    expect(code).toBe(0);

    const results = lines.filter(({ kind }) => kind === 'tool-result');
    expect(results.map(({ status }) => status).sort()).toEqual(['error', 'ok']);
    const [result, error] = ['ok', 'error'].map(
      (wanted) => results.find(({ status }) => status === wanted)?.text as string,
    );
    expect(result).toContain('Beans and peas are sown.');
    expect(error).toContain('There is no “Missing.md”');

    const [first, second] = bodies(server.requests);
    const asError = ['anthropic-messages', 'gemini-generateContent'].includes(one.format)
      ? error
      : expect.stringMatching(/^\s*error/i);
    expect(one.goesOn(first)).toEqual([]);
    expect(one.goesOn(second)).toEqual(one.expected(result, asError));

    const { turns } = parseConversation(text, tagsOf(text), ['vault']);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const calls = turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'call' ? [part.call] : [])),
    );
    expect(calls.map(({ server, tool, result: { state } }) => [server, tool, state])).toEqual([
      ['vault', 'read_docs', 'ok'],
      ['vault', 'read_docs', 'error'],
    ]);
    expect(text).toContain(said);
    expect(text.indexOf('I look.')).toBeLessThan(text.indexOf('read_docs'));
  });

  test('takes the tools in the provider’s own form, and the key only in its header', async () => {
    await askedThrough(one);
    const [first, second] = bodies(server.requests);
    for (const body of [first, second]) {
      const tools = one.tools(body);
      expect(tools.map(({ name }) => name)).toContain('vault__read_docs');
      for (const { schema } of tools) expect(schema).toMatchObject({ type: 'object', properties: {} });
      const readDocs = tools.find(({ name }) => name === 'vault__read_docs');
      expect(at(readDocs, 'schema.properties.paths')).toMatchObject({ type: 'array' });
      expect(JSON.stringify(body)).not.toMatch(/temperature|"\$schema"|"strict":true/);
    }
    for (const { headers, url } of server.requests) {
      expect(url).toBe(one.path);
      expect(headers[one.keyHeader]).toMatch(new RegExp(`^(Bearer )?${key}$`));
      const elsewhere = Object.entries(headers).filter(([name]) => name !== one.keyHeader);
      expect(JSON.stringify(elsewhere)).not.toContain(key);
    }
    expect(JSON.stringify([first, second])).not.toContain(key);
  });
});
