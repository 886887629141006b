import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { findOllama } from '../../src/core/providers/ollama/find';
import { createCommandLine } from '../hosts/command-line';
import { memory } from '../mcp/setup';
import { ask, collect, providerAt } from './support';

/** An Ollama to speak to, and a model of it that calls tools. */
export interface OllamaAt {
  readonly url: string;
  readonly model: string;
}

/** A small model on a slow machine takes its time. */
const timeout = 180_000;
const input = { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes notes'] }] };

/** What has to hold with every Ollama, be it a real one. */
export function ollamaCases(at: () => OllamaAt): void {
  const provider = (model = at().model) =>
    providerAt(at().url, 'ollama', 'ollama-chat', { key: null, model });
  const question = (text: string, more: Parameters<typeof ask>[1] = {}) =>
    ask(text, { model: at().model, ...more });

  test('the model calls a tool that it is offered', { timeout }, async () => {
    const number = { type: 'number' };
    const tools = [
      {
        name: 'add_numbers',
        description: 'Adds two numbers.',
        inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
      },
    ];
    const asked = question('Call the tool add_numbers with {"a": 17, "b": 25}.', { tools });
    const outcome = await collect((await provider()).stream(asked, AbortSignal.timeout(timeout)));
    expect(outcome).toMatchObject({ error: null, finish: 'tool-calls' });
    expect(outcome.calls[0]).toMatchObject({ name: 'add_numbers', arguments: { a: 17, b: 25 }, error: null });
  });

  test('the model uses a memory server, which keeps what it was told', { timeout }, async () => {
    const note = withNote(at(), `Call the tool memory__create_entities with ${JSON.stringify(input)}`);
    expect(await note.answer('--tools', 'memory/create_entities', '--allow', 'memory/*')).toBe(0);
    expect(readFileSync(note.graph, 'utf8')).toContain('"Ada"');
    expect(note.text()).toMatch(/\[!tool\].*create_entities/);
    expect(note.text()).toContain('writes notes');
  });

  test('the model knows what was said before in the note', { timeout }, async () => {
    const note = withNote(at(), 'My name is Ada. Answer with one word.');
    expect(await note.answer('--tools', 'none')).toBe(0);
    writeFileSync(note.path, `${note.text()}\n#User : What is my name? Answer with one word.\n`);
    const before = note.text().length;
    expect(await note.answer('--tools', 'none')).toBe(0);
    expect(note.text().slice(before)).toContain('Ada');
  });

  test('an answer ends at its longest length, and a tool loop after its rounds', { timeout }, async () => {
    const asked = question('Count from 1 to 500, in digits.', { maxTokens: 12 });
    const outcome = await collect((await provider()).stream(asked, AbortSignal.timeout(timeout)));
    expect(outcome).toMatchObject({ error: null, finish: 'length' });
    expect(outcome.usage?.outputTokens).toBeLessThanOrEqual(13);

    const note = withNote(at(), `Call the tool memory__create_entities with ${JSON.stringify(input)}`);
    await note.answer('--tools', 'memory/create_entities', '--allow', 'memory/*', '--rounds', '1');
    expect(note.text()).toContain('Stopped after 1 round');
  });

  test('an answer that is stopped ends at once, and the next question is answered', { timeout }, async () => {
    const stop = new AbortController();
    const stream = (await provider()).stream(question('Count from 1 to 500, in digits.'), stop.signal);
    const seen: string[] = [];
    let stopped = 0;
    const reading = (async () => {
      for await (const { kind } of stream) {
        seen.push(kind);
        if (!stop.signal.aborted && (kind === 'text' || kind === 'reasoning')) {
          stopped = performance.now();
          stop.abort();
        }
      }
    })();
    await expect(reading).rejects.toMatchObject({ details: { failure: 'cancelled' } });
    expect(performance.now() - stopped).toBeLessThan(2_000);
    expect(seen).not.toContain('finish');
    const next = question('Say hello.', { maxTokens: 60 });
    const outcome = await collect((await provider()).stream(next, AbortSignal.timeout(timeout)));
    expect(outcome.error).toBeNull();
    expect(outcome.text + outcome.reasoning).not.toBe('');
  });

  test('a model that is missing, and an Ollama that is not there, are named', { timeout }, async () => {
    const missing = (await provider('nobody-has-this:1b')).stream(
      question('Hello', { model: 'nobody-has-this:1b' }),
      AbortSignal.timeout(timeout),
    );
    expect((await collect(missing)).error).toMatchObject({
      code: 'provider.failed',
      details: { failure: 'model-not-found' },
      message: expect.stringContaining('nobody-has-this:1b'),
    });
    const nowhere = await providerAt('http://127.0.0.1:1', 'ollama', 'ollama-chat', { key: null });
    const stop = new AbortController();
    const events = nowhere.stream(question('Hello'), stop.signal)[Symbol.asyncIterator]();
    const { value: first } = await events.next();
    stop.abort();
    expect(first).toMatchObject({ kind: 'retrying', failure: 'network' });
  });

  test('it is found from within WSL2, where it runs on Windows', { timeout }, async () => {
    const folder = temporary();
    const routes = join(folder, 'route');
    writeFileSync(routes, 'Iface\tDestination\tGateway\neth0\t00000000\t0110A8AC\n');
    /** Windows stands at the default gateway; on this side nothing answers. */
    const network: typeof fetch = (input, init) => {
      const { host, pathname } = new URL(String(input));
      const there = host === '172.168.16.1:11434' ? at().url : 'http://127.0.0.1:1';
      return fetch(`${there}${pathname}`, init);
    };
    const environment = { WSL_DISTRO_NAME: 'Ubuntu' };
    const found = await findOllama({ fetch: network, environment, routes });
    expect(found).toMatchObject({ baseUrl: 'http://172.168.16.1:11434', model: expect.any(String) });
  });
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ollama-cases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A note with one question, answered by the command line of an app that knows a memory server. */
function withNote({ url, model }: OllamaAt, question: string) {
  const { folder, run, printed } = createCommandLine({ createApp });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const graph = join(folder, 'graph.jsonl');
  for (const name of ['data', 'vault']) mkdirSync(join(folder, name));
  const servers = { memory: { ...memory, env: { MEMORY_FILE_PATH: graph } } };
  writeFileSync(join(folder, 'data/mcp.json'), JSON.stringify({ mcpServers: servers }));
  const path = join(folder, 'vault/Talk.md');
  writeFileSync(path, `#User : ${question}\n`);
  return {
    path,
    graph,
    printed,
    text: () => readFileSync(path, 'utf8'),
    answer: (...more: string[]) =>
      run('ask', path, '--provider', 'ollama', '--model', model, '--base-url', url, ...more),
  };
}
