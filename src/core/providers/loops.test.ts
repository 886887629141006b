import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProviderServer, startProviderServer } from '../../../tests/provider-server';
import {
  readRecorded,
  readRecordings,
  recordingsFolder,
  vendorOf,
} from '../../../tests/providers/recordings';
import { collect, providerAt } from '../../../tests/providers/support';
import type { WireFormat } from '../../contract/providers';
import type { ModelRequest, NeutralMessage, NeutralTool } from './provider';

const recordings = readRecordings();
const loops = recordings
  .filter(({ loop, requestFile }) => loop?.turn === 1 && requestFile)
  .flatMap((first) => {
    const second = recordings.find(({ loop }) => loop?.id === first.loop?.id && loop?.turn === 2);
    return second?.requestFile ? [{ id: first.loop?.id ?? '', first, second }] : [];
  });

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (file: string): unknown => JSON.parse(readRecorded(file).toString('utf8'));

/** What is at a path such as `messages.0.content` of a recorded body. */
function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, key) => (found as Record<string, unknown> | null | undefined)?.[key], value);
}
const textAt = (value: unknown, path: string): string => String(at(value, path) ?? '');
const listAt = (value: unknown, path: string): unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

function toolsOf(body: unknown, list: string, inner: string, schema: string): NeutralTool[] {
  return listAt(body, list).map((tool) => ({
    name: textAt(tool, `${inner}name`),
    description: textAt(tool, `${inner}description`),
    inputSchema: at(tool, inner + schema) as Record<string, unknown>,
  }));
}

/** The recorded first request in nobody's format, and the results that its second one carries, in order. */
function neutral(format: WireFormat, first: unknown, second: unknown) {
  switch (format) {
    case 'anthropic-messages':
      return {
        system: textAt(first, 'system.0.text'),
        user: textAt(first, 'messages.0.content.0.text'),
        tools: toolsOf(first, 'tools', '', 'input_schema'),
        results: listAt(listAt(second, 'messages').at(-1), 'content').map((part) =>
          textAt(part, 'content.0.text'),
        ),
      };
    case 'gemini-generateContent':
      return {
        system: textAt(first, 'systemInstruction.parts.0.text'),
        user: textAt(first, 'contents.0.parts.0.text'),
        tools: toolsOf(first, 'tools.0.functionDeclarations', '', 'parameters'),
        results: listAt(listAt(second, 'contents').at(-1), 'parts').map((part) =>
          textAt(part, 'functionResponse.response.result'),
        ),
      };
    case 'openai-responses':
      return {
        system: textAt(first, 'input.0.content'),
        user: textAt(first, 'input.1.content.0.text'),
        tools: toolsOf(first, 'tools', '', 'parameters'),
        results: listAt(second, 'input')
          .filter((item) => at(item, 'type') === 'function_call_output')
          .map((item) => textAt(item, 'output')),
      };
    default:
      return {
        system: textAt(first, 'messages.0.content'),
        user: textAt(first, 'messages.1.content'),
        tools: toolsOf(first, 'tools', 'function.', 'parameters'),
        results: listAt(second, 'messages')
          .filter((message) => at(message, 'role') === 'tool')
          .map((message) => textAt(message, 'content')),
      };
  }
}

/** What matters of a second request: who said what, which calls with which ids and arguments, reasoning and signatures. */
function essence(format: WireFormat, body: unknown): unknown {
  switch (format) {
    case 'anthropic-messages':
      return listAt(body, 'messages').map((message) => ({
        role: at(message, 'role'),
        content: listAt(message, 'content').map((part) => {
          // Newer answers say who called; older clients did not send it back, nor what is to be remembered.
          const { caller: _caller, cache_control: _mark, ...rest } = part as Record<string, unknown>;
          return rest;
        }),
      }));
    case 'gemini-generateContent':
      return listAt(body, 'contents').map((content) => ({
        role: at(content, 'role'),
        parts: listAt(content, 'parts').map((part) => ({
          text: at(part, 'text'),
          signature: at(part, 'thoughtSignature'),
          call: [
            at(part, 'functionCall.name'),
            at(part, 'functionCall.args'),
            givenId(part, 'functionCall.id'),
          ],
          result: [
            at(part, 'functionResponse.name'),
            at(part, 'functionResponse.response.result'),
            givenId(part, 'functionResponse.id'),
          ],
        })),
      }));
    case 'openai-responses':
      return (
        listAt(body, 'input')
          // The recorded client left reasoning out; ours sends it back, encrypted.
          .filter((item) => at(item, 'type') !== 'reasoning')
          .map((item) => ({
            role: textAt(item, 'role').replace('developer', 'system'),
            content: at(item, 'content'),
            id: at(item, 'call_id'),
            call: [at(item, 'name'), parsed(at(item, 'arguments'))],
            result: at(item, 'output'),
          }))
      );
    default:
      return listAt(body, 'messages').map((message) => ({
        role: at(message, 'role'),
        content: at(message, 'content') ?? '',
        id: at(message, 'tool_call_id'),
        calls: listAt(message, 'tool_calls').map((call) => ({
          id: at(call, 'id'),
          name: at(call, 'function.name'),
          args: parsed(at(call, 'function.arguments')),
        })),
        reasoning: at(message, 'reasoning_content') || undefined,
        // The recorded client lost the first piece of the details; the rest must be the same.
        details: listAt(message, 'reasoning_details').map((detail) => textAt(detail, 'text').slice(-200)),
      }));
  }
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined);

/** The recorded Gemini client numbered calls that came without an id: such numbers are not ids. */
function givenId(part: unknown, path: string): string | null {
  const id = at(part, path);
  return typeof id === 'string' && id.length > 2 ? id : null;
}

describe.skipIf(!recordingsFolder)('a tool loop', () => {
  test.each(loops)('goes on as recorded: $id', async ({ first, second }) => {
    const firstBody = read(first.requestFile ?? '');
    const secondBody = read(second.requestFile ?? '');
    const { system, user, tools, results } = neutral(first.format, firstBody, secondBody);
    const provider = await providerAt(server.url, vendorOf(first), first.format, {
      model: first.model,
    });
    const messages: NeutralMessage[] = [
      { role: 'system', text: system },
      { role: 'user', text: user, attachments: [] },
    ];
    const request: ModelRequest = {
      model: first.model,
      messages,
      tools,
      ...(at(firstBody, 'thinking') || at(firstBody, 'reasoning') ? { reasoningEffort: 'high' } : {}),
    };
    server.answer({ body: readRecorded(first.file) }, { body: readRecorded(second.file) });
    const turn = await collect(provider.stream(request, AbortSignal.timeout(10_000)));
    expect(turn.error).toBeNull();
    messages.push({
      role: 'assistant',
      text: turn.text,
      toolCalls: turn.calls.map((call, at) => ({
        id: `own-${at}`,
        name: call.name,
        arguments: call.arguments ?? {},
      })),
      ...(turn.native && { native: turn.native }),
    });
    turn.calls.forEach((call, at) => {
      messages.push({
        role: 'tool',
        callId: `own-${at}`,
        name: call.name,
        text: results[at] ?? '',
        isError: false,
        images: [],
      });
    });
    const answer = await collect(provider.stream(request, AbortSignal.timeout(10_000)));
    expect(answer.error).toBeNull();
    expect(answer.text).not.toBe('');

    const sent = server.requests.at(-1)?.body;
    expect(essence(first.format, sent)).toEqual(essence(first.format, secondBody));
    if (first.format === 'openai-responses') {
      const reasoning = listAt(turn.native, 'value.items').filter((item) => at(item, 'encrypted_content'));
      expect(listAt(sent, 'input').filter((item) => at(item, 'type') === 'reasoning')).toEqual(reasoning);
    }
  });
});
