import { isAppError } from '../../contract/errors';
import type { ProviderCheck } from '../../contract/providers';
import { type Clock, isSecretInAddress, maskedAddress } from '../foundation';
import { secretInAddress } from './failure-advice';
import type { Target } from './format';
import type { Provider } from './provider';
import { FailedRequest, type Requester } from './requester';

/** Asks a provider for its models, or, where it has no such list, for one word. */
export async function checkProvider(
  { provider, requester, target }: { provider: Provider; requester: Requester; target: Target },
  clock: Clock,
  onModels: (models: readonly string[]) => void,
  signal: AbortSignal,
): Promise<ProviderCheck> {
  const { vendor } = target;
  if (isSecretInAddress(target.baseUrl))
    return {
      kind: 'failed',
      failure: 'bad-request',
      ...secretInAddress({ label: vendor.label, baseUrl: target.baseUrl }),
    };
  if (vendor.needsKey && target.key === null) {
    const variables = vendor.keyVariables.join(' or ');
    return {
      kind: 'failed',
      failure: 'auth',
      finding: {
        ...{ code: 'key-missing', label: vendor.label, quote: null, isTyped: true },
        ...{ keyPage: vendor.keyPage ?? null, variables: [...vendor.keyVariables] },
      },
      message: `${vendor.label} needs a key, and there is none.`,
      next: `Paste one here${vendor.keyPage ? ` (keys are made at ${vendor.keyPage})` : ''}, or set ${variables}.`,
    };
  }
  if (vendor.id !== 'demo' && !isWebAddress(target.baseUrl)) {
    return {
      kind: 'failed',
      failure: 'bad-request',
      finding:
        target.baseUrl === ''
          ? { code: 'no-address' }
          : { code: 'no-web-address', address: maskedAddress(target.baseUrl) },
      message:
        target.baseUrl === ''
          ? 'There is no base address.'
          : `“${maskedAddress(target.baseUrl)}” is not a web address.`,
      next: 'Type the address that requests go to, such as http://127.0.0.1:1234/v1.',
    };
  }
  const startedAt = clock.now();
  try {
    const models = vendor.quirks.listsModels
      ? await requester.models(signal)
      : await askOneWord(provider, signal).then(() => [...vendor.models]);
    onModels(models);
    return { kind: 'ok', ms: clock.now() - startedAt, models };
  } catch (error) {
    if (error instanceof FailedRequest) {
      const { failure, finding, message, next } = error.named;
      return { kind: 'failed', failure, ...(finding && { finding }), message, next };
    }
    if (isAppError(error, 'provider.failed')) {
      const { failure, finding } = error.details;
      return { kind: 'failed', failure, ...(finding && { finding }), message: error.message, next: '' };
    }
    throw error;
  }
}

/** No retries: the first answer, good or bad, is what the person wants to know. */
async function askOneWord(provider: Provider, signal: AbortSignal): Promise<void> {
  const request = {
    model: provider.model,
    messages: [{ role: 'user' as const, text: 'Say OK.', attachments: [] }],
    tools: [],
    maxTokens: 16,
  };
  for await (const event of provider.stream(request, signal)) {
    if (event.kind !== 'retrying') return;
  }
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
