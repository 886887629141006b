import { AppError, type ProviderFailure } from '../../contract/errors';
import type { ProviderProblem } from '../../contract/provider-findings';
import { ForeignRedirect } from '../network';
import { adviceFor } from './failure-advice';
import { isObject, type JsonObject } from './format';
import { waitForLimits } from './rate-limits';
import type { Refused, Transport } from './transport';
import type { VendorRow } from './vendors';

/** A failure that a format sees for itself in what a provider sent. */
export class StreamFault extends Error {
  override readonly name = 'StreamFault';
  readonly failure: ProviderFailure;
  readonly saidBy: 'provider' | 'us';

  constructor(failure: ProviderFailure, message: string, saidBy: 'provider' | 'us' = 'provider') {
    super(message);
    this.failure = failure;
    this.saidBy = saidBy;
  }
}

/** Carries the provider's own error object, as the SDKs' errors do. */
export class SaidError extends Error {
  override readonly name = 'SaidError';
  readonly error: unknown;

  constructor(error: unknown) {
    super('The provider answered with an error.');
    this.error = error;
  }
}

/** What came whole, if it is an answer at all: an object without the error that some send as a success. */
export function answerIn(body: unknown): JsonObject {
  if (!isObject(body)) throw new StreamFault('incomplete', 'What came is no answer.');
  if (body.error) throw new SaidError(body.error);
  return body;
}

/** An answer that is JSON but names no models: of something else than a provider of this format. */
export const noList = () => new StreamFault('bad-request', 'What came is no list of models.');

/** What an error says about itself, in whatever shape it came. */
interface Facts {
  readonly status: number | null;
  /** Codes, types and reasons, most exact first. */
  readonly codes: readonly string[];
  readonly message: string;
  readonly retryAfterMs: number | null;
  readonly shouldRetry: boolean | null;
  /** Whether a body in the provider's own form was there. */
  readonly structured: boolean;
  /** Whether a page of somebody in between came instead. */
  readonly page?: boolean;
  /** Where it sent the request on to. */
  readonly movedTo?: string;
  /** What was found out here, not at the provider. */
  readonly ownWords?: string;
}

interface Rule {
  readonly failure: ProviderFailure;
  readonly code?: RegExp;
  readonly message?: RegExp;
  readonly status?: (status: number) => boolean;
  /** Where a status came, it has to be one of these. */
  readonly when?: (status: number) => boolean;
}

/** A status with which a vendor may mean trouble of its own, or that too much was asked of it for now. */
const passing = (status: number) =>
  status < 400 || status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;

/**
 * Read from the top: a provider’s own code says more than its words, and its words more than the status. Only what would be
 * tried again has to have a status that allows it: gateways say "api_error" for a key that is wrong.
 */
const rules: readonly Rule[] = [
  {
    failure: 'quota',
    code: /^(insufficient_quota|insufficient_balance|account_?overdue\w*|arrearage|accountoverdueerror|exceeded_current_quota_error|billing_error|billing_hard_limit_reached|payment_required|1113|30001|.*PerDay.*)$/i,
  },
  {
    failure: 'context-overflow',
    code: /^(context_length_exceeded|string_above_max_length|request_too_large|model_context_window_exceeded|exceed_context_size_error|1261)$/i,
  },
  {
    failure: 'content-filter',
    code: /^(content_filter|content_policy_violation|data_?inspection_?failed|.*sensitivecontent.*|responsibleaipolicyviolation|1301)$/i,
  },
  {
    failure: 'model-not-found',
    code: /^(model_not_found|deploymentnotfound|invalid_model|model_?not_?(open|found|exist|supported)|invalidendpointormodel\S*|20012|1211|not_found_error)$/i,
  },
  {
    failure: 'auth',
    code: /^(invalid_api_key|incorrect_api_key|authentication_error|permission_error|api_key_invalid|invalid_iam_token|unauthenticated|permission_denied|invalid_?authentication\S*|1000|1001|1002|1003|1004)$/i,
  },
  {
    failure: 'overloaded',
    when: passing,
    code: /^(overloaded_error|engine_overloaded_error|unavailable|1305|model_overloaded)$/i,
  },
  {
    failure: 'rate-limit',
    when: passing,
    code: /^(rate_?limit\w*|resource_exhausted|too_many_requests|1302|1303|throttling\S*)$/i,
  },
  {
    failure: 'overloaded',
    when: passing,
    code: /^(server_error|api_error|internal|internal_error|timeout_error)$/i,
  },
  {
    failure: 'context-overflow',
    message:
      /context[ _]?length|prompt is too long|prompt too long|exceeds the (available )?context|maximum context|context window|input token count .* exceeds|maximum prompt length|exceeded model token limit|max_seq_len|exceed max message tokens|range of input length/i,
  },
  {
    failure: 'quota',
    message: /insufficient (balance|credits?|quota)|credit balance is too low|余额不足|欠费|out of credits/i,
  },
  {
    failure: 'auth',
    message: /api[ _-]?key|invalid_iam|authenticat|unauthorized/i,
    status: (status) => status === 400 || status === 401 || status === 403,
  },
  {
    failure: 'model-not-found',
    message:
      /model\b(?<!model\b.*?model).*(not found|(does )?not exist|is not supported)|no such model|not a valid model/i,
  },
  { failure: 'quota', status: (status) => status === 402 },
  { failure: 'auth', status: (status) => status === 401 || status === 403 },
  { failure: 'model-not-found', status: (status) => status === 404 },
  { failure: 'context-overflow', status: (status) => status === 413 },
  { failure: 'rate-limit', status: (status) => status === 429 },
  { failure: 'timeout', status: (status) => status === 408 },
  { failure: 'overloaded', status: (status) => status >= 500 },
  { failure: 'bad-request', status: () => true },
];

function classify(facts: Facts): ProviderFailure | null {
  // A page that is not the provider's own is an address where nothing answers, not a missing model.
  if (facts.status === 404 && !facts.structured) return 'bad-request';
  const holds = (rule: Rule) =>
    (!rule.code || facts.codes.some((code) => rule.code?.test(code))) &&
    (!rule.message || rule.message.test(facts.message)) &&
    (!rule.when || facts.status === null || rule.when(facts.status)) &&
    (!rule.status || (facts.status !== null && rule.status(facts.status)));
  return rules.find(holds)?.failure ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads a body of any vendor: `{error: {…}}`, `{error: "…"}`, `{code, message}`, `[{error}]`, plain text. */
function factsOfBody(raw: unknown, status: number | null, headers: Headers | null): Facts {
  const body = Array.isArray(raw) ? (raw[0] as unknown) : raw;
  const outer = isObject(body) ? body : {};
  const inner = isObject(outer.error) ? outer.error : outer;
  const details = (Array.isArray(inner.details) ? inner.details : []).filter(isObject);
  const metadata = isObject(inner.metadata) ? inner.metadata : {};
  const nested = isObject(inner.innererror) ? inner.innererror : {};
  const violations = details.flatMap((detail) => (Array.isArray(detail.violations) ? detail.violations : []));
  const codes = [
    ...violations.filter(isObject).map((violation) => violation.quotaId),
    ...details.map((detail) => detail.reason),
    nested.code,
    inner.code,
    outer.code,
    inner.type,
    inner.status,
  ].flatMap((code) => (typeof code === 'string' || typeof code === 'number' ? [String(code)] : []));
  const message = [inner.message, outer.error, inner.msg, inner.error_msg, body].find(
    (part) => typeof part === 'string' && part !== '',
  );
  const upstream = typeof metadata.raw === 'string' ? ` ${metadata.raw}` : '';
  const inStream = codes.map(Number).find((code) => code >= 400 && code < 600) ?? null;
  return {
    status: status ?? inStream,
    codes,
    message: typeof message === 'string' ? message + upstream : upstream.trim(),
    retryAfterMs: retryAfter(headers, details),
    shouldRetry: headers?.has('x-should-retry') ? headers.get('x-should-retry') === 'true' : null,
    structured: isObject(body) && codes.length + (typeof message === 'string' ? 1 : 0) > 0,
  };
}

/** `retry-after-ms`, `retry-after` in seconds or as a date, Google's RetryInfo, or when the limits are renewed. */
function retryAfter(headers: Headers | null, details: readonly Record<string, unknown>[]): number | null {
  const ms = Number(headers?.get('retry-after-ms') || Number.NaN);
  const text = headers?.get('retry-after') ?? null;
  const seconds = text === null ? Number.NaN : Number(text);
  const date = text === null ? Number.NaN : Date.parse(text);
  const info = details
    .map((detail) => /^([\d.]+)s$/.exec(String(detail.retryDelay ?? ''))?.[1])
    .find(Boolean);
  const wait = [
    ms > 0 ? ms : Number.NaN,
    seconds * 1000,
    date - Date.now(),
    Number(info ?? Number.NaN) * 1000,
    (headers && waitForLimits(headers, Date.now())) ?? Number.NaN,
    ms,
  ].find((value) => Number.isFinite(value));
  return wait === undefined ? null : Math.max(0, Math.round(wait));
}

const networkCodes =
  /^(E[A-Z_]+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS\w*)$/;

/** The system's own code somewhere in the chain of causes. */
function systemCode(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; isErrorLike(at) && depth < 6; at = at.cause, depth++) {
    if (typeof at.code === 'string' && networkCodes.test(at.code)) return at.code;
    if (at instanceof AggregateError) {
      const inner = at.errors.map(systemCode).find(Boolean);
      if (inner) return inner;
    }
  }
  return null;
}

function foreignRedirect(error: unknown): ForeignRedirect | null {
  for (let at: unknown = error, depth = 0; isErrorLike(at) && depth < 6; at = at.cause, depth++)
    if (at instanceof ForeignRedirect) return at;
  return null;
}

function isErrorLike(value: unknown): value is { code?: unknown; cause?: unknown; error?: unknown } {
  return typeof value === 'object' && value !== null;
}

/** Facts of an error that an SDK threw: the parsed body that it carries, or its text. */
function factsOfThrown(error: unknown): Facts {
  if (isErrorLike(error) && error.error !== undefined && error.error !== null)
    return factsOfBody(error.error, null, null);
  const text = error instanceof Error ? error.message : String(error);
  const json = text.indexOf('{');
  return factsOfBody(json === -1 ? text : parsed(text.slice(json)), null, null);
}

/** A vendor's words often lack their full stop. */
const ended = (words: string) => (/[.!?…。！？:]["”’)]*$/.test(words.trim()) ? words : `${words}.`);

export interface NamedFailure extends Readonly<ProviderProblem> {
  readonly error: AppError<'provider.failed'>;
  readonly failure: ProviderFailure;
  readonly retryable: boolean;
}

/** Names any error of a request. `key` is taken out of whatever a provider echoes. */
export function nameFailure(
  error: unknown,
  context: {
    providerId: string;
    vendor: VendorRow;
    label: string;
    baseUrl: string;
    model: string;
    key: string | null;
    transport: Pick<Transport, 'refused' | 'idledOut' | 'received'>;
    idleTimeout: number;
    aborted: boolean;
    isList?: boolean;
  },
): NamedFailure {
  const { transport } = context;
  const refused = transport.refused();
  const code = systemCode(error);

  function named(failure: ProviderFailure, facts: Partial<Facts>, retryable: boolean): NamedFailure {
    const advice = adviceFor(failure, {
      ...context,
      begun: transport.received() > 0,
      isList: context.isList ?? false,
      message: facts.message ?? '',
      systemCode: code,
      facts,
    });
    const details = {
      provider: context.providerId,
      failure,
      status: facts.status ?? null,
      retryAfterMs: facts.retryAfterMs ?? null,
      ...(advice.finding && { finding: advice.finding }),
    };
    const appError = new AppError(
      'provider.failed',
      `${ended(advice.message)} ${advice.next}`.trim(),
      details,
    );
    return { error: appError, failure, ...advice, retryable };
  }

  if (context.aborted) return named('cancelled', {}, false);
  if (transport.idledOut()) return named('timeout', {}, false);
  if (refused) return fromRefusal(refused, named);
  const redirect = foreignRedirect(error);
  if (redirect) return named('network', { movedTo: redirect.to }, false);
  if (error instanceof StreamFault) {
    const words = error.saidBy === 'us' ? { ownWords: error.message } : { message: error.message };
    return named(error.failure, words, false);
  }
  if (code !== null && /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code)) return named('timeout', {}, false);
  if (code !== null)
    return named(
      'network',
      { message: code },
      !/^ECONNREFUSED|^ECAFILE|^EPROXY|^ERR_SSL|CERT|SIGN|TLS/.test(code),
    );
  const facts = factsOfThrown(error);
  const failure = classify(facts);
  if (failure) return named(failure, facts, false);
  if (transport.received() > 0 && isErrorLike(error) && error.error !== undefined)
    return named('overloaded', facts, false);
  return named(transport.received() > 0 ? 'incomplete' : 'network', facts, transport.received() === 0);
}

const retryables: ReadonlySet<ProviderFailure> = new Set(['rate-limit', 'overloaded', 'network']);

/** A sign-in page of a network, or a proxy that forbids: with a status that a provider would give a reason for. */
function isForeignPage({ status, body }: Refused): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(body) && (status < 400 || status === 403 || status === 511);
}

function fromRefusal(
  refused: Refused,
  named: (failure: ProviderFailure, facts: Facts, retryable: boolean) => NamedFailure,
): NamedFailure {
  const facts = factsOfBody(parsed(refused.body), refused.status, refused.headers);
  if (isForeignPage(refused)) return named('network', { ...facts, page: true }, false);
  const failure = classify(facts) ?? 'bad-request';
  return named(
    failure,
    facts,
    retryables.has(failure) && passing(refused.status) && facts.shouldRetry !== false,
  );
}
