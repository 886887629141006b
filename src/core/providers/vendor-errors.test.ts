import { expect, test } from 'vitest';
import type { ProviderFailure } from '../../contract/errors';
import { nameFailure } from './failures';
import { vendorById, vendorRows } from './vendors';

/** How each vendor says each of the usual troubles. */
const table: Record<string, readonly (readonly [status: number, body: unknown, failure: ProviderFailure])[]> =
  {
    openai: [
      [401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 'auth'],
      [
        404,
        { error: { message: 'The model `m` does not exist', code: 'model_not_found' } },
        'model-not-found',
      ],
      [400, { error: { message: 'too long', code: 'context_length_exceeded' } }, 'context-overflow'],
      [429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 'rate-limit'],
      [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'quota'],
      [500, { error: { message: 'The server had an error', type: 'server_error' } }, 'overloaded'],
    ],
    azure: [
      [401, { error: { code: '401', message: 'Access denied due to invalid subscription key' } }, 'auth'],
      [404, { error: { code: 'DeploymentNotFound', message: 'It does not exist' } }, 'model-not-found'],
      [400, { error: { code: 'context_length_exceeded', message: 'too long' } }, 'context-overflow'],
      [429, { error: { code: 'RateLimitReached', message: 'Retry after 1 second' } }, 'rate-limit'],
      [400, { error: { code: 'content_filter', message: 'filtered' } }, 'content-filter'],
    ],
    anthropic: [
      [401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } }, 'auth'],
      [403, { error: { type: 'permission_error', message: 'not for this key' } }, 'auth'],
      [404, { error: { type: 'not_found_error', message: 'model: m' } }, 'model-not-found'],
      [413, { error: { type: 'request_too_large', message: 'Request exceeds' } }, 'context-overflow'],
      [429, { error: { type: 'rate_limit_error', message: 'This would exceed the limit' } }, 'rate-limit'],
      [529, { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded'],
      [500, { error: { type: 'api_error', message: 'Internal server error' } }, 'overloaded'],
      [400, { error: { type: 'billing_error', message: 'No credit' } }, 'quota'],
    ],
    gemini: [
      [
        400,
        { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
        'auth',
      ],
      [
        404,
        { error: { code: 404, status: 'NOT_FOUND', message: 'models/m is not found' } },
        'model-not-found',
      ],
      [
        400,
        { error: { status: 'INVALID_ARGUMENT', message: 'The input token count (5) exceeds the maximum' } },
        'context-overflow',
      ],
      [429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow down' } }, 'rate-limit'],
      [
        503,
        { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
        'overloaded',
      ],
    ],
    grok: [
      [400, { code: 'invalid-argument', error: 'Incorrect API key provided.' }, 'auth'],
      [404, { code: 'not-found', error: 'The model m does not exist' }, 'model-not-found'],
      [
        400,
        { error: 'This model’s maximum prompt length is 5 but the request contains 6 tokens.' },
        'context-overflow',
      ],
      [429, { code: 'resource-exhausted', error: 'Too many requests' }, 'rate-limit'],
    ],
    deepseek: [
      [401, { error: { message: 'Authentication Fails', type: 'authentication_error' } }, 'auth'],
      [400, { error: { message: 'Model Not Exist', type: 'invalid_request_error' } }, 'model-not-found'],
      [400, { error: { message: 'This model’s maximum context length is 5 tokens' } }, 'context-overflow'],
      [402, { error: { message: 'Insufficient Balance' } }, 'quota'],
      [503, { error: { message: 'Service is too busy' } }, 'overloaded'],
    ],
    kimi: [
      [401, { error: { type: 'invalid_authentication_error', message: 'Invalid Authentication' } }, 'auth'],
      [
        404,
        { error: { type: 'resource_not_found_error', message: 'Not found the model m' } },
        'model-not-found',
      ],
      [400, { error: { message: 'Your request exceeded model token limit: 8192' } }, 'context-overflow'],
      [429, { error: { type: 'rate_limit_reached_error', message: 'max RPM' } }, 'rate-limit'],
      [429, { error: { type: 'exceeded_current_quota_error', message: 'no balance' } }, 'quota'],
      [429, { error: { type: 'engine_overloaded_error', message: 'busy' } }, 'overloaded'],
    ],
    qwen: [
      [401, { error: { code: 'invalid_api_key', message: 'Incorrect API key provided.' } }, 'auth'],
      [404, { error: { code: 'model_not_found', message: 'The model m does not exist' } }, 'model-not-found'],
      [400, { error: { message: 'Range of input length should be [1, 30720]' } }, 'context-overflow'],
      [
        429,
        { error: { code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded' } },
        'rate-limit',
      ],
      [400, { error: { code: 'Arrearage', message: 'Access denied' } }, 'quota'],
      [400, { error: { code: 'data_inspection_failed', message: 'inappropriate' } }, 'content-filter'],
    ],
    siliconflow: [
      [401, 'Invalid token', 'auth'],
      [400, { code: 20012, message: 'Model does not exist.', data: null }, 'model-not-found'],
      [
        400,
        { code: 20015, message: 'length of prompt_tokens (9) must be less than max_seq_len (8).' },
        'context-overflow',
      ],
      [429, { message: 'Request was rejected due to rate limiting.' }, 'rate-limit'],
      [403, { code: 30001, message: 'Sorry, your account balance is insufficient' }, 'quota'],
    ],
    zhipu: [
      [401, { error: { code: '1002', message: 'Authorization Token非法' } }, 'auth'],
      [400, { error: { code: '1211', message: '模型不存在' } }, 'model-not-found'],
      [400, { error: { code: '1261', message: 'Prompt 超长' } }, 'context-overflow'],
      [429, { error: { code: '1302', message: '并发数过高' } }, 'rate-limit'],
      [429, { error: { code: '1113', message: '余额不足' } }, 'quota'],
      [400, { error: { code: '1301', message: '敏感内容' } }, 'content-filter'],
      [429, { error: { code: '1305', message: '流量较大' } }, 'overloaded'],
    ],
    doubao: [
      [401, { error: { code: 'AuthenticationError', message: 'The API key is invalid' } }, 'auth'],
      [404, { error: { code: 'ModelNotOpen', message: 'not activated' } }, 'model-not-found'],
      [
        400,
        { error: { message: 'Total tokens of image and text exceed max message tokens' } },
        'context-overflow',
      ],
      [429, { error: { code: 'RateLimitExceeded.EndpointRPMExceeded', message: 'slow' } }, 'rate-limit'],
      [403, { error: { code: 'AccountOverdueError', message: 'overdue' } }, 'quota'],
      [400, { error: { code: 'SensitiveContentDetected', message: 'sensitive' } }, 'content-filter'],
    ],
    qianfan: [
      [401, { error: { code: 'invalid_iam_token', message: 'IAM certification failed' } }, 'auth'],
      [
        401,
        { error: { code: 'invalid_model', message: 'No permission to use the model' } },
        'model-not-found',
      ],
      [429, { error: { code: 'rpm_rate_limit_exceeded', message: 'Rate limit reached' } }, 'rate-limit'],
      [403, { error: { code: 'account_overdue', message: 'overdue' } }, 'quota'],
    ],
    openrouter: [
      [401, { error: { code: 401, message: 'User not found.' } }, 'auth'],
      [404, { error: { code: 404, message: 'No endpoints found for m.' } }, 'model-not-found'],
      [
        400,
        { error: { code: 400, message: 'This endpoint’s maximum context length is 10' } },
        'context-overflow',
      ],
      [429, { error: { code: 429, metadata: { raw: 'rate-limited upstream' } } }, 'rate-limit'],
      [402, { error: { code: 402, message: 'This request requires more credits' } }, 'quota'],
      [502, { error: { code: 502, message: 'Provider returned error' } }, 'overloaded'],
    ],
    ollama: [
      [401, { error: { message: 'unauthorized', type: 'api_error' } }, 'auth'],
      [403, { error: { message: 'this model needs a plan', type: 'api_error' } }, 'auth'],
      [400, { error: { message: 'bad options', type: 'server_error' } }, 'bad-request'],
      [500, { error: 'model runner has stopped' }, 'overloaded'],
      [401, { error: 'unauthorized' }, 'auth'],
      [404, { error: 'model "m" not found, try pulling it first' }, 'model-not-found'],
      [400, { error: 'prompt too long; exceeded max context length by 3 tokens' }, 'context-overflow'],
      [503, { error: 'server busy, please try again.' }, 'overloaded'],
    ],
    'openai-compatible': [
      [401, { error: { message: 'Unauthorized' } }, 'auth'],
      [
        404,
        { error: { message: 'The model `m` does not exist.', type: 'NotFoundError' } },
        'model-not-found',
      ],
      [400, { error: { message: 'This model’s maximum context length is 5' } }, 'context-overflow'],
      [
        400,
        {
          error: {
            message: 'the request exceeds the available context size',
            type: 'exceed_context_size_error',
          },
        },
        'context-overflow',
      ],
    ],
  };

test('every vendor that can refuse stands in the table', () => {
  expect(Object.keys(table).sort()).toEqual(
    vendorRows
      .map(({ id }) => id)
      .filter((id) => id !== 'demo')
      .sort(),
  );
});

const rows = Object.entries(table).flatMap(([id, cases]) =>
  cases.map(([status, body, failure]) => [id, status, failure, JSON.stringify(body)] as const),
);

test.each(rows)(
  '%s’s %i is %s, told with the vendor’s name and a next step: %s',
  (id, status, failure, body) => {
    const vendor = vendorById(id);
    if (!vendor) throw new Error(`No vendor ${id}`);
    const named = nameFailure(new Error('wrapped by an SDK'), {
      providerId: 'p',
      vendor,
      label: vendor.label,
      baseUrl: 'https://example.test/v1',
      model: 'm',
      key: 'key-of-mine-123',
      transport: {
        refused: () => ({ status, headers: new Headers(), body }),
        idledOut: () => false,
        received: () => 0,
      },
      idleTimeout: 120_000,
      aborted: false,
    });
    expect(named.failure).toBe(failure);
    expect(named.retryable).toBe(failure === 'rate-limit' || failure === 'overloaded');
    expect(named.error.details).toMatchObject({ failure, status });
    // The person learns whose fault it is and what to do.
    expect(named.message).toMatch(
      failure === 'context-overflow' ? /longer than m can take/ : new RegExp(vendor.label),
    );
    expect(named.next).not.toBe('');
  },
);
