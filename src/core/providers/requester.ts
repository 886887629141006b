import { AppError } from '../../contract/errors';
import { type Clock, isSecretInAddress } from '../foundation';
import { type NamedFailure, nameFailure, StreamFault } from './failures';
import type { Format, PullProgress, Target } from './format';
import type { ModelEvent, ModelRequest } from './provider';
import { eventsOf, readsEvents, type Source } from './reading';
import { waitBefore, waitVisibly } from './retry';
import { createTransport, type Fetch, type Transport } from './transport';

/** Milliseconds at least for an answer that comes whole: until its end there is silence. */
const wholeAnswer = 300_000;

/** Speaks to one provider: opens, retries, names what goes wrong. */
export interface Requester {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterableIterator<ModelEvent>;
  /** Throws `FailedRequest`. */
  models(signal: AbortSignal): Promise<string[]>;
  /** Throws `provider.failed`. */
  pull(model: string, signal: AbortSignal): AsyncGenerator<PullProgress>;
}

/** Long, since an answer, a list and a fetched model open, name their failures and end in the same way. */
export function createRequester(parts: {
  format: Format;
  target: Target;
  providerId: string;
  label: string;
  fetch: Fetch;
  clock: Clock;
  /** Milliseconds; read at each request. */
  idleTimeout: () => number;
  onFailure: (failure: NamedFailure, attempt: number) => void;
  /** What the vendor made of the key, whenever that is known. */
  onKey?: ((verdict: 'taken' | 'refused') => void) | undefined;
}): Requester {
  const { format, target, clock } = parts;

  function open(
    signal: AbortSignal,
    purpose: 'answer' | 'list' | 'pull',
  ): { transport: Transport; name: (error: unknown) => NamedFailure } {
    const isWhole = purpose === 'answer' && !target.streams;
    const idleTimeout = isWhole ? Math.max(parts.idleTimeout(), wholeAnswer) : parts.idleTimeout();
    const transport = createTransport({ fetch: parts.fetch, clock, signal, idleTimeout });
    return {
      transport,
      name: (error) =>
        nameFailure(error, {
          providerId: parts.providerId,
          vendor: target.vendor,
          label: parts.label,
          baseUrl: target.baseUrl,
          model: target.model,
          key: target.key,
          transport,
          idleTimeout,
          aborted: signal.aborted,
          isList: purpose === 'list',
        }),
    };
  }

  const checkAddress = () => {
    if (isSecretInAddress(target.baseUrl)) throw new StreamFault('bad-request', '', 'us');
  };
  const refusesKey = ({ failure }: NamedFailure) => failure === 'auth' && parts.onKey?.('refused');

  /** Each source is read to its end before it goes on here, and what goes wrong in it is thrown in here. */
  async function* attempts(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Source, void> {
    for (let attempt = 1; ; attempt++) {
      const { transport, name } = open(signal, 'answer');
      let failure: NamedFailure;
      try {
        signal.throwIfAborted();
        checkAddress();
        yield await format.open(target, request, transport);
        // Some SDKs end a stream without a word when it is aborted.
        signal.throwIfAborted();
        parts.onKey?.('taken');
        return;
      } catch (error) {
        failure = name(error);
      } finally {
        transport.close();
      }
      parts.onFailure(failure, attempt);
      refusesKey(failure);
      const wait = transport.received() > 0 ? null : waitBefore(attempt, failure, Math.random());
      if (wait === null) throw failure.error;
      try {
        yield readsEvents(waitVisibly(attempt, wait, failure, clock, signal));
      } catch (error) {
        throw name(error).error;
      }
    }
  }

  return {
    stream: (request, signal) => eventsOf(attempts(request, signal)),

    async *pull(model, signal) {
      const { transport, name } = open(signal, 'pull');
      try {
        signal.throwIfAborted();
        checkAddress();
        if (!format.pull) throw new StreamFault('bad-request', 'Only Ollama fetches models by itself.');
        yield* format.pull(target, model, transport);
      } catch (error) {
        throw pullFailed(name(error), model, parts.label);
      } finally {
        transport.close();
      }
    },

    async models(signal) {
      const { transport, name } = open(signal, 'list');
      try {
        signal.throwIfAborted();
        checkAddress();
        const models = await format.models(target, transport);
        parts.onKey?.('taken');
        return models;
      } catch (error) {
        const failure = name(error);
        refusesKey(failure);
        throw new FailedRequest(failure);
      } finally {
        transport.close();
      }
    },
  };
}

/** Of a model that can't be fetched, “pull it” would be no advice. */
function pullFailed(
  { error, failure, finding }: NamedFailure,
  model: string,
  label: string,
): NamedFailure['error'] {
  if (failure !== 'model-not-found' && failure !== 'overloaded') return error;
  const quote = finding && 'quote' in finding ? finding.quote : null;
  const message = `${label} could not fetch “${model}”${quote === null ? '.' : `: “${quote}”`} Check its name; models are listed at https://ollama.com/library.`;
  const { finding: _, ...details } = error.details;
  return new AppError('provider.failed', message, details);
}

/** Carries a named failure with its advice in two parts. */
export class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
  readonly named: NamedFailure;

  constructor(named: NamedFailure) {
    super(named.error.message);
    this.named = named;
  }
}
