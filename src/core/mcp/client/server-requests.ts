import {
  type Client,
  type ClientCapabilities,
  type CreateMessageResultWithTools,
  type ElicitRequestParams,
  type ElicitResult,
  type ListRootsResult,
  ProtocolError,
  ProtocolErrorCode,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import type { AskAnswer, ServerAsk } from '../../../contract/asks';
import { jsonFault } from '../../../contract/json';
import { schemaTooBig } from '../../foundation';
import type { Root } from '../features/roots';
import type { SampleRequest, SamplingModel } from '../features/sampling';
import { answerSampling } from '../features/sampling';
import { viewType } from '../features/views';
import { tasksExtension } from '../tasks/task-state';

/** Of a page that a person is asked to open; a cut one would be another. */
export const longestAddress = 8_192;

/** What a server may ask of us, in either era: the same answers serve both. */
export interface ServerRequests {
  /** The folders that the server may know of now; null: nothing is said of folders at all. */
  readonly roots: (() => Promise<readonly Root[]>) | null;
  /** Null: nobody can ever be asked. */
  readonly ask: ((ask: ServerAsk['ask'], signal: AbortSignal) => Promise<AskAnswer>) | null;
  /** The model that fits best; null: no model is offered. Rejects where none is set up. */
  readonly selectModel: ((request: SampleRequest) => Promise<SamplingModel>) | null;
  /** Somebody can see the pages that servers bring. */
  readonly showsViews: boolean;
}

export function capabilitiesFor({ roots, ask, selectModel, showsViews }: ServerRequests): ClientCapabilities {
  return {
    ...(roots && { roots: { listChanged: true } }),
    ...(ask && { elicitation: { form: {}, url: {} } }),
    ...(ask && selectModel && { sampling: { tools: {} } }),
    extensions: {
      [tasksExtension]: {},
      ...(showsViews && { 'io.modelcontextprotocol/ui': { mimeTypes: [viewType] } }),
    },
  };
}

/** `onAsked` is told of every question that is answered. */
export function answerRequests(client: Client, requests: ServerRequests, onAsked: () => void): void {
  const { roots, ask, selectModel } = requests;
  if (roots)
    client.setRequestHandler('roots/list', () => {
      onAsked();
      return listRoots(roots);
    });
  if (ask)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) => {
      onAsked();
      return elicit(params, ask, signal);
    });
  if (ask && selectModel)
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) => {
      onAsked();
      return answerSampling(params, { ask, selectModel }, signal);
    });
}

/** The answer to a question that came inside of a task; it is checked and asked as one that came by itself. */
export async function answerEmbedded(
  method: string,
  params: unknown,
  requests: ServerRequests,
  signal: AbortSignal,
): Promise<ListRootsResult | ElicitResult | CreateMessageResultWithTools> {
  const { roots, ask, selectModel } = requests;
  if (method === 'roots/list' && roots) return listRoots(roots);
  if (method === 'elicitation/create' && ask)
    return elicit(checked('ElicitRequestParams', params), ask, signal);
  if (method === 'sampling/createMessage' && ask && selectModel)
    return answerSampling(checked('CreateMessageRequestParams', params), { ask, selectModel }, signal);
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `“${method}” is not answered.`);
}

const listRoots = async (roots: () => Promise<readonly Root[]>): Promise<ListRootsResult> => ({
  roots: (await roots()).map(({ uri, name }) => ({ uri, name })),
});

export async function elicit(
  params: ElicitRequestParams,
  ask: NonNullable<ServerRequests['ask']>,
  signal: AbortSignal,
): Promise<ElicitResult> {
  if (params.mode === 'url') {
    if (params.url.length > longestAddress)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The address is too long.');
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
  const tooBig = schemaTooBig(schema);
  if (tooBig !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, tooBig);
  const fault = jsonFault(schema);
  if (fault !== null)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The requested schema ${fault}.`);
  const answer = await ask({ kind: 'form', message: params.message, schema: schema as FormSchema }, signal);
  if (answer.action !== 'accept') return { action: answer.action };
  const content = { ...defaultsOf(schema), ...answer.content };
  return { action: 'accept', content: content as Record<string, string | number | boolean | string[]> };
}

function checked<K extends 'ElicitRequestParams' | 'CreateMessageRequestParams'>(type: K, params: unknown) {
  const validated = specTypeSchemas[type]['~standard'].validate(params);
  if ('value' in validated && !validated.issues) return validated.value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This question cannot be read.');
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
