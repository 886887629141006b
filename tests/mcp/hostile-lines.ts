import { createDamage } from './damage';

/** Lines that a server might send, made from a seed: the same seed, the same lines. `$ID` stands for the request's id. */
export function hostileLines(seed: number, count: number): string[] {
  const { line, oneOf } = createDamage(seed);
  return Array.from({ length: count }, () => line(oneOf(messages)));
}

const jsonrpc = '2.0';
const messages: readonly unknown[] = [
  { jsonrpc, id: '$ID', result: { content: [{ type: 'text', text: 'hi' }] } },
  {
    jsonrpc,
    id: '$ID',
    result: { content: [], structuredContent: { a: [1, 2] }, _meta: { progressToken: 1 } },
  },
  { jsonrpc, id: '$ID', result: { resultType: 'task', taskId: 't', status: 'completed', result: {} } },
  { jsonrpc, id: '$ID', result: { task: { taskId: 't', status: 'failed', ttl: 1 } } },
  {
    jsonrpc,
    id: '$ID',
    result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
  },
  { jsonrpc, id: '$ID', error: { code: -32_602, message: 'no', data: { uri: 'a:b' } } },
  {
    jsonrpc,
    id: '$ID',
    error: { code: -32_042, message: 'go', data: { elicitations: [{ url: 'x', mode: 'url' }] } },
  },
  {
    jsonrpc,
    method: 'notifications/progress',
    params: { progressToken: '$ID', progress: 1, total: 2, message: 'm' },
  },
  { jsonrpc, method: 'notifications/message', params: { level: 'info', logger: 'l', data: { a: 1 } } },
  { jsonrpc, method: 'notifications/tools/list_changed', params: {} },
  { jsonrpc, method: 'notifications/resources/updated', params: { uri: 'a:b' } },
  { jsonrpc, method: 'notifications/cancelled', params: { requestId: '$ID', reason: 'r' } },
  { jsonrpc, method: 'notifications/subscriptions/acknowledged', params: { _meta: {}, notifications: {} } },
  { jsonrpc, id: 7_000, method: 'ping' },
  { jsonrpc, id: 'q', method: 'roots/list', params: {} },
  { jsonrpc, id: 'c', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
];
