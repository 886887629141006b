import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo } from './ollama-answers';

/** A small Ollama, written from https://docs.ollama.com/api: lists, shows, pulls and answers. */
export interface OllamaServer {
  readonly url: string;
  /** `POST /api/pull qwen3:4b`, in order. */
  readonly seen: string[];
  readonly bodies: Record<string, unknown>[];
  readonly models: Map<string, OllamaModel>;
  /** The next step of a pull that is under way: bytes so far. Pulls wait for these. */
  step(completed: number): void;
  /** Resolves when whoever pulled, or was answered, has left before the end. */
  readonly left: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface OllamaModel {
  readonly contextLength: number;
  readonly parameters?: string;
  /** As `/api/show` says; left out: it speaks and calls tools. Null: a version that does not say. */
  readonly capabilities?: readonly string[] | null;
  /** Loaded now, with this context. */
  readonly loadedWith?: number;
}

const digest = 'sha256:e8a35b5937a5e6d5c35d1f2a15f161e07eefe5e5bb0a3cdd42998ee79b057730';

export async function startOllamaServer(
  models: Record<string, OllamaModel> = {},
  options: { size?: number; quick?: boolean } = {},
): Promise<OllamaServer> {
  const size = options.size ?? 1_000;
  const known = new Map(Object.entries(models));
  const seen: string[] = [];
  const bodies: Record<string, unknown>[] = [];
  let step: (completed: number) => void = () => undefined;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    // Older clients say `name`.
    const model = String(body.model ?? body.name ?? '');
    seen.push(`${request.method} ${request.url} ${model}`.trim());
    bodies.push(body);
    switch (`${request.method} ${request.url}`) {
      case 'GET /api/tags':
        return json(response, 200, {
          models: [...known.keys()].map((name) => ({ name, model: name, size, digest })),
        });
      case 'GET /api/ps':
        return json(response, 200, {
          models: [...known].flatMap(([name, { loadedWith }]) =>
            loadedWith === undefined ? [] : [{ name, model: name, size, context_length: loadedWith }],
          ),
        });
      case 'POST /api/show': {
        const found = known.get(model);
        if (!found) return json(response, 404, { error: `model '${model}' not found` });
        return json(response, 200, {
          parameters: found.parameters ?? 'stop                           "<|eot_id|>"',
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': found.contextLength },
          ...(found.capabilities !== null && {
            capabilities: found.capabilities ?? ['completion', 'tools'],
          }),
        });
      }
      case 'POST /api/pull':
        return pull(model, response);
      case 'POST /api/chat':
        return chat(model, body, response);
      default:
        return json(response, 404, { error: 'not found' });
    }
  });

  async function pull(model: string, response: ServerResponse): Promise<void> {
    const line = (value: unknown) => void response.write(`${JSON.stringify(value)}\n`);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    line({ status: 'pulling manifest' });
    if (model.startsWith('missing')) {
      line({ error: 'pull model manifest: file does not exist' });
      response.end();
      return;
    }
    const status = `pulling ${digest.slice(7, 19)}`;
    line({ status, digest, total: size });
    response.on('close', () => response.writableFinished || leave());
    for (let completed = 0; completed < size; ) {
      completed = options.quick ? size : await new Promise<number>((resolve) => (step = resolve));
      line({ status, digest, total: size, completed });
    }
    line({ status: 'verifying sha256 digest' });
    line({ status: 'writing manifest' });
    known.set(model, { contextLength: 40_960 });
    line({ status: 'success' });
    response.end();
  }

  async function chat(model: string, body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    if (!known.has(model)) {
      json(response, 404, { error: `model '${model}' not found` });
      return;
    }
    const { capabilities } = known.get(model) ?? {};
    const can = (what: string) => (capabilities ?? ['completion', 'tools']).includes(what);
    // As Ollama refuses.
    if (!can('completion')) return void json(response, 400, { error: `"${model}" does not support chat` });
    if (body.tools && !can('tools'))
      return void json(response, 400, {
        error: `registry.ollama.ai/library/${model} does not support tools`,
      });
    response.on('close', () => response.writableFinished || leave());
    await say(model, body, response);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    bodies,
    models: known,
    step: (completed) => step(completed),
    left,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** As a stream of lines or, where the request wants none, as one object; no longer than `num_predict`. */
async function say(model: string, body: Record<string, unknown>, response: ServerResponse): Promise<void> {
  const { words, call } = answerTo(body);
  const most = (body.options as { num_predict?: number } | undefined)?.num_predict ?? 100_000;
  const about = { model, created_at: '2026-01-01T00:00:00Z' };
  const message = (content: string) => ({ role: 'assistant', content });
  const calls = call && { tool_calls: [{ function: call }] };
  const end = (said: object, done_reason: string, eval_count: number) => ({
    ...about,
    ...{ message: said, done: true, done_reason, prompt_eval_count: 7, eval_count },
  });
  const isWhole = body.stream === false;
  response.writeHead(200, { 'content-type': isWhole ? 'application/json' : 'application/x-ndjson' });
  const said: string[] = [];
  let reason = 'stop';
  for (const word of words) {
    if (said.length === most) reason = 'length';
    if (said.length === most || response.destroyed) break;
    said.push(word);
    const line = `${JSON.stringify({ ...about, message: message(word), done: false })}\n`;
    // So that whoever leaves is seen to have left.
    if (!isWhole) await new Promise<void>((resolve) => response.write(line, () => setImmediate(resolve)));
  }
  const count = said.length + 1;
  if (isWhole)
    return void response.end(JSON.stringify(end({ ...message(said.join('')), ...calls }, reason, count)));
  if (call)
    response.write(`${JSON.stringify({ ...about, message: { ...message(''), ...calls }, done: false })}\n`);
  response.end(`${JSON.stringify(end(message(''), reason, count))}\n`);
}
