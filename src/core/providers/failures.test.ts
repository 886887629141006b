import { expect, test } from 'vitest';
import { nameFailure } from './failures';
import { vendorById, vendorRows } from './vendors';

function refused(
  vendorId: string,
  status: number,
  body: string,
  headers: Record<string, string> = {},
  key: string | null = 'key-of-mine-123',
) {
  const vendor = vendorById(vendorId);
  if (!vendor) throw new Error(`No vendor ${vendorId}`);
  return nameFailure(new Error('wrapped by an SDK'), {
    providerId: 'p',
    vendor,
    label: vendor.label,
    baseUrl: 'https://example.test/v1',
    model: 'm',
    key,
    transport: {
      refused: () => ({ status, headers: new Headers(headers), body }),
      idledOut: () => false,
      received: () => 0,
    },
    idleTimeout: 120_000,
    aborted: false,
  });
}

test.each([
  ['openai', 401, '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}', 'auth'],
  [
    'openai',
    429,
    '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}',
    'quota',
  ],
  ['openai', 429, '{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}', 'rate-limit'],
  [
    'openai',
    400,
    '{"error":{"message":"Unsupported parameter: temperature","type":"invalid_request_error"}}',
    'bad-request',
  ],
  ['openai', 400, '{"error":{"message":"too long","code":"context_length_exceeded"}}', 'context-overflow'],
  [
    'azure',
    401,
    '{"error":{"code":"401","message":"Access denied due to invalid subscription key"}}',
    'auth',
  ],
  [
    'azure',
    404,
    '{"error":{"code":"DeploymentNotFound","message":"The API deployment does not exist"}}',
    'model-not-found',
  ],
  [
    'azure',
    400,
    '{"error":{"code":"content_filter","message":"filtered","innererror":{"code":"ResponsibleAIPolicyViolation"}}}',
    'content-filter',
  ],
  [
    'anthropic',
    401,
    '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    'auth',
  ],
  [
    'anthropic',
    529,
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'overloaded',
  ],
  [
    'anthropic',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 5 tokens > 4 maximum"}}',
    'context-overflow',
  ],
  [
    'anthropic',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}',
    'quota',
  ],
  [
    'gemini',
    400,
    '{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}',
    'auth',
  ],
  [
    'gemini',
    429,
    '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"quota","details":[{"violations":[{"quotaId":"RequestsPerDayPerProject"}]}]}}',
    'quota',
  ],
  [
    'gemini',
    404,
    '{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}',
    'model-not-found',
  ],
  ['grok', 400, '{"code":"invalid-argument","error":"Incorrect API key provided."}', 'auth'],
  ['deepseek', 402, '{"error":{"message":"Insufficient Balance"}}', 'quota'],
  [
    'qwen',
    400,
    '{"error":{"code":"data_inspection_failed","message":"inappropriate content"}}',
    'content-filter',
  ],
  ['qwen', 400, '{"error":{"code":"Arrearage","message":"Access denied"}}', 'quota'],
  [
    'qianfan',
    401,
    '{"error":{"code":"invalid_model","message":"No permission to use the model"}}',
    'model-not-found',
  ],
  ['qianfan', 401, '{"error":{"code":"invalid_iam_token","message":"IAM certification failed"}}', 'auth'],
  ['qianfan', 403, '{"error":{"code":"account_overdue","message":"overdue"}}', 'quota'],
  ['zhipu', 429, '{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}', 'quota'],
  ['zhipu', 429, '{"error":{"code":"1302","message":"并发数过高"}}', 'rate-limit'],
  [
    'siliconflow',
    400,
    '{"code":20012,"message":"Model does not exist. Please check it carefully.","data":null}',
    'model-not-found',
  ],
  ['kimi', 429, '{"error":{"type":"exceeded_current_quota_error","message":"not enough balance"}}', 'quota'],
  ['kimi', 429, '{"error":{"type":"engine_overloaded_error","message":"busy"}}', 'overloaded'],
  ['doubao', 404, '{"error":{"code":"ModelNotOpen","message":"not activated"}}', 'model-not-found'],
  ['ollama', 404, '{"error":"model \\"m\\" not found, try pulling it first"}', 'model-not-found'],
  ['openrouter', 401, '{"error":{"message":"User not found.","code":401}}', 'auth'],
  ['openrouter', 402, '{"error":{"message":"This request requires more credits","code":402}}', 'quota'],
  [
    'openrouter',
    429,
    '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"m is temporarily rate-limited upstream"}}}',
    'rate-limit',
  ],
  [
    'openrouter',
    400,
    '{"error":{"message":"This endpoint\u2019s maximum context length is 10 tokens","code":400}}',
    'context-overflow',
  ],
  ['azure', 429, '{"error":{"code":"RateLimitReached","message":"Retry after 1 second"}}', 'rate-limit'],
  ['grok', 429, '{"code":"resource-exhausted","error":"Too many requests"}', 'rate-limit'],
  ['deepseek', 401, '{"error":{"message":"Authentication Fails","type":"authentication_error"}}', 'auth'],
  [
    'deepseek',
    400,
    '{"error":{"message":"This model\u2019s maximum context length is 5 tokens"}}',
    'context-overflow',
  ],
  [
    'kimi',
    401,
    '{"error":{"message":"Invalid Authentication","type":"invalid_authentication_error"}}',
    'auth',
  ],
  ['kimi', 403, '{"error":{"type":"exceeded_current_quota_error","message":"no balance"}}', 'quota'],
  ['doubao', 401, '{"error":{"code":"AuthenticationError","message":"The API key is invalid"}}', 'auth'],
  ['siliconflow', 401, '"Invalid token"', 'auth'],
  ['siliconflow', 403, '{"code":30001,"message":"Sorry, your account balance is insufficient"}', 'quota'],
  ['ollama', 401, '{"error":"unauthorized"}', 'auth'],
  ['openai-compatible', 404, '<html>Not here</html>', 'bad-request'],
  ['openai-compatible', 413, '', 'context-overflow'],
  ['openai-compatible', 502, '<html>Bad gateway</html>', 'overloaded'],
  ['openai', 403, '<!DOCTYPE html><title>Blocked</title>', 'network'],
  ['openai', 200, '<html><h1>Sign in to this network</h1></html>', 'network'],
  ['openai', 511, '<html>Sign in</html>', 'network'],
])('%s answering %i %s means %s', (vendor, status, body, failure) => {
  const named = refused(vendor, status, body);
  expect(named.failure).toBe(failure);
  expect(named.error.details).toMatchObject({ provider: 'p', failure, status });
  expect(named.next).not.toBe('');
  expect(named.retryable).toBe(['rate-limit', 'overloaded'].includes(failure));
});

test('where no wait is asked for, the limits’ own headers say when they are renewed', () => {
  const wait = (headers: Record<string, string>) =>
    refused('openai', 429, '{"error":{"message":"Slow down"}}', headers).error.details.retryAfterMs;
  expect(
    wait({
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m2.5s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '20ms',
    }),
  ).toBe(62_500);
  expect(wait({ 'x-ratelimit-remaining-tokens': '500', 'x-ratelimit-reset-tokens': '6m0s' })).toBeNull();
  const moment = new Date(Date.now() + 30_000).toISOString();
  const anthropic = wait({
    'anthropic-ratelimit-tokens-remaining': '0',
    'anthropic-ratelimit-tokens-reset': moment,
  });
  expect(anthropic).toBeGreaterThan(28_000);
  expect(
    wait({ 'retry-after': '3', 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '9s' }),
  ).toBe(3_000);
});

test.each(vendorRows.filter(({ id }) => id !== 'demo').map(({ id }) => id))(
  'whatever status %s answers with, there is a class and a next step',
  (vendor) => {
    const body = '{"error":{"message":"Words of the provider"}}';
    const table = [
      [400, 'bad-request'],
      [401, 'auth'],
      [402, 'quota'],
      [403, 'auth'],
      [404, 'model-not-found'],
      [408, 'timeout'],
      [413, 'context-overflow'],
      [429, 'rate-limit'],
      [500, 'overloaded'],
      [503, 'overloaded'],
      [529, 'overloaded'],
    ] as const;
    for (const [status, failure] of table) {
      const named = refused(vendor, status, body);
      expect(named.failure, `${status}`).toBe(failure);
      expect(named.next, `${status}`).not.toBe('');
    }
  },
);

test('the wait asked for is read from headers in each of their forms, and from Google’s body', () => {
  const body = '{"error":{"message":"Slow down"}}';
  const waits = (headers: Record<string, string>) =>
    refused('openai', 429, body, headers).error.details.retryAfterMs;
  expect(waits({ 'retry-after': '7' })).toBe(7_000);
  expect(waits({ 'retry-after': '7', 'retry-after-ms': '250' })).toBe(250);
  // Azure sends 0 milliseconds beside one second.
  expect(waits({ 'retry-after': '1', 'retry-after-ms': '0' })).toBe(1_000);
  expect(waits({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(50_000);
  expect(waits({})).toBeNull();
  const google = '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"2.5s"}]}}';
  expect(refused('gemini', 429, google).error.details.retryAfterMs).toBe(2_500);
});

test('a key that a provider repeats is taken out of what is shown', () => {
  const named = refused('openai', 401, '{"error":{"message":"Wrong key key-of-mine-123 given"}}');
  expect(named.error.message).toContain('Wrong key ••• given');
});

test('a model that is not there is not blamed on a key where there is none', () => {
  const body = '{"error":"model \\"m\\" not found, try pulling it first"}';
  expect(refused('ollama', 404, body, {}, null).message).not.toContain('key');
  expect(refused('ollama', 404, body).message).toContain('has no model “m” for this key.');
});
