import { pathToFileURL } from 'node:url';
import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { AskAnswer, ServerAsk } from '../../contract/mcp';
import type { SampleRequest, SampleResult } from './door';
import { viewType } from './views';

/** What a server may ask of us, in either era: the same answers serve both. */
export interface ServerRequests {
  /** Absolute folders that the server may know of; null: nothing is said of folders at all. */
  roots(): readonly string[] | null;
  /** Null: nobody can ever be asked. */
  readonly ask: ((ask: ServerAsk['ask'], signal: AbortSignal) => Promise<AskAnswer>) | null;
  /** Somebody can see the pages that servers bring. */
  readonly showsViews: boolean;
  /** Null: there is no model to lend. */
  readonly sample: ((request: SampleRequest, signal: AbortSignal) => Promise<SampleResult>) | null;
}

export function capabilitiesFor({ roots, ask, sample, showsViews }: ServerRequests): ClientCapabilities {
  return {
    ...(roots() !== null && { roots: { listChanged: true } }),
    ...(ask && { elicitation: { form: {}, url: {} } }),
    ...(ask && sample && { sampling: {} }),
    ...(showsViews && { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [viewType] } } }),
  };
}

const mostTokens = 8_192;

export function answerRequests(client: Client, { roots, ask, sample }: ServerRequests): void {
  if (roots() !== null)
    client.setRequestHandler('roots/list', () => ({
      roots: (roots() ?? []).map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  if (!ask) return;

  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
    if (params.mode === 'url') {
      const url = URL.canParse(params.url) ? new URL(params.url) : null;
      if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Only web addresses are opened.');
      const { action } = await ask(
        { kind: 'url', message: params.message, url: url.href, host: url.host },
        signal,
      );
      return { action };
    }
    const schema = params.requestedSchema as Record<string, unknown>;
    const answer = await ask({ kind: 'form', message: params.message, schema: schema as FormSchema }, signal);
    if (answer.action !== 'accept') return { action: answer.action };
    const content = { ...defaultsOf(schema), ...answer.content };
    return { action: 'accept', content: content as Record<string, string | number | boolean | string[]> };
  });

  if (!sample) return;
  client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq: { signal } }) => {
    const messages = params.messages.map(({ role, content }) => ({
      role,
      text: (Array.isArray(content) ? content : [content])
        .map((part) => (part.type === 'text' ? part.text : `(${part.type})`))
        .join('\n'),
    }));
    const request: SampleRequest = {
      system: params.systemPrompt ?? '',
      messages,
      maxTokens: Math.min(params.maxTokens, mostTokens),
      hints: (params.modelPreferences?.hints ?? []).flatMap(({ name }) => (name ? [name] : [])),
    };
    const { action } = await ask({ kind: 'sampling', ...request }, signal);
    if (action !== 'accept') throw new ProtocolError(-1, 'The person did not allow it.');
    const { model, text, cut } = await sample(request, signal);
    return {
      role: 'assistant',
      model,
      content: { type: 'text', text },
      stopReason: cut ? 'maxTokens' : 'endTurn',
    };
  });
}

type FormSchema = Extract<ServerAsk['ask'], { kind: 'form' }>['schema'];

/** What the form was prefilled with, for fields that were left out of the answer. */
function defaultsOf(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      typeof field === 'object' && field !== null && 'default' in field ? [[name, field.default]] : [],
    ),
  );
}
