import './no-eval';
import * as z from 'zod';
import { ProviderFinding } from './provider-findings';
import { ServerFault } from './server-faults';

/** Why a provider gave no answer; each has its own next step. */
export const ProviderFailure = z.enum([
  'auth',
  'quota',
  'rate-limit',
  'overloaded',
  'context-overflow',
  'content-filter',
  'model-not-found',
  'bad-request',
  'network',
  'timeout',
  'incomplete',
  'cancelled',
]);
export type ProviderFailure = z.infer<typeof ProviderFailure>;

const path = z.object({ path: z.string() });
const server = z.object({ serverId: z.string() });

/** Every failure a caller may branch on, with the details it carries. */
export const errorDetails = {
  'request.invalid': z.object({ issues: z.array(z.string()) }),
  'request.unknown': z.object({ operation: z.string() }),
  'request.cancelled': z.object({}),
  'connection.lost': z.object({}),
  /** There is none: nothing was asked of the core. */
  'connection.none': z.object({}),
  'connection.stale': z.object({}),
  /** The core answers, but lets this browser in no longer or not yet. */
  'connection.refused': z.object({}),
  'host.unsupported': z.object({ feature: z.string() }),
  'vault.none': z.object({}),
  /** Its folder is away: unplugged, unmounted, moved, or another one is in its place. Nothing was done. */
  'vault.lost': path,
  'vault.not-found': path,
  'vault.not-a-folder': path,
  'vault.outside': path,
  'vault.exists': path,
  'vault.changed': z.object({ path: z.string(), version: z.string() }),
  'vault.read-only': path,
  'vault.disk-full': path,
  'vault.too-large': z.object({ path: z.string(), bytes: z.number(), limit: z.number() }),
  'vault.not-text': path,
  'vault.untrusted': z.object({}),
  /** Answers are being written in these notes, and opening another vault would stop them; nothing was done. */
  'vault.busy': z.object({ notes: z.array(z.string()) }),
  'note.session-gone': path,
  /** What was typed is in memory only: neither the journal nor the note can be written. */
  'note.not-kept': path,
  'versions.unknown': z.object({ id: z.string() }),
  /** What was kept of it cannot be read any more. */
  'versions.damaged': z.object({ id: z.string() }),
  /** The note says something else by now in the places that would be restored; `hunks` by their place in the preview. */
  'versions.changed': z.object({ path: z.string(), hunks: z.array(z.number()) }),
  /** It was discarded, or cannot be read any more. */
  'recovery.unknown': z.object({ id: z.string() }),
  'chat.busy': z.object({ path: z.string(), runId: z.string() }),
  'chat.nothing-to-answer': z.object({
    path: z.string(),
    why: z.enum([
      'no-message',
      'empty',
      'system',
      'answer',
      'no-question',
      'unknown-tag',
      'agent-note',
      'prompt-note',
    ]),
    /** The tag, the agent or the prompt that this is about; or nothing. */
    name: z.string(),
  }),
  /** Something written there would change how what stands below it is read. */
  'chat.changes-below': path,
  /** `waitsForTrust`: it is an agent of the open folder, which is not trusted, or not what was agreed to. */
  'chat.no-provider': z.object({ tag: z.string().nullable(), waitsForTrust: z.literal(true).optional() }),
  'mcp.unknown-server': server,
  'mcp.invalid-config': z.object({ issues: z.array(z.string()) }),
  'mcp.name-taken': z.object({ name: z.string(), free: z.string() }),
  /** `fault`: what `reason` says, for screens to word it in their language. */
  'mcp.unreachable': z.object({ serverId: z.string(), reason: z.string(), fault: ServerFault.optional() }),
  'mcp.sign-in-needed': server,
  'mcp.sign-in-failed': z.object({ serverId: z.string(), reason: z.string() }),
  'mcp.not-revoked': z.object({ serverId: z.string(), reason: z.string() }),
  'mcp.protocol': z.object({ serverId: z.string(), reason: z.string(), fault: ServerFault.optional() }),
  /** A task that ended at the server without a result, or that it no longer knows. */
  'mcp.task-ended': z.object({
    serverId: z.string(),
    how: z.enum(['failed', 'cancelled', 'unknown']),
    reason: z.string(),
  }),
  'tool.unknown': z.object({ tool: z.string(), nearest: z.array(z.string()) }),
  /** The server describes it in other words than those that were agreed to. Nothing was called. */
  'tool.changed': z.object({ tool: z.string() }),
  'tool.invalid-arguments': z.object({ tool: z.string(), issues: z.array(z.string()) }),
  'tool.denied': z.object({
    tool: z.string(),
    by: z.enum(['off', 'never', 'never-here', 'person', 'unattended', 'limit', 'paused', 'flow']),
    reason: z.string(),
  }),
  'tool.timed-out': z.object({ tool: z.string(), afterMs: z.number() }),
  /** It was closed, or its server does not bring it any more. */
  'view.gone': z.object({}),
  'view.refused': z.object({ reason: z.string() }),
  'provider.unknown': z.object({ provider: z.string() }),
  'provider.failed': z.object({
    provider: z.string(),
    failure: ProviderFailure,
    status: z.number().nullable(),
    retryAfterMs: z.number().nullable(),
    finding: ProviderFinding.optional(),
  }),
  'project.refused': z.object({
    reason: z.enum([
      'not_found',
      'validation',
      'conflict',
      'cycle',
      'unresolved_reference',
      'read_only',
      'too_large',
      'disk_full',
    ]),
    field: z.string().nullable(),
    hint: z.string().nullable(),
    /** What stands in fields that the change would replace. */
    differences: z.array(
      z.object({
        field: z.string(),
        /** As it was when it was read; null: that is not known, or not changed since. */
        was: z.string().nullable(),
        now: z.string(),
        /** Null where `now` is a diff of a text. */
        yours: z.string().nullable(),
      }),
    ),
  }),
  /** A tag would mean two things. */
  'settings.tag-taken': z.object({
    tag: z.string(),
    held: z.enum(['newChat', 'user', 'system', 'model']),
    claim: z.enum(['newChat', 'user', 'system', 'model']),
  }),
  /** It is not what the caller has seen any more. Nothing was saved. */
  'settings.changed': z.object({}),
  'settings.invalid': z.object({ issues: z.array(z.string()) }),
  /** A file of the app's own data can't be read just now. */
  'data.unavailable': z.object({ file: z.string(), reason: z.string() }),
  'secrets.unavailable': z.object({ reason: z.string() }),
  internal: z.object({}),
} as const;

export type ErrorCode = keyof typeof errorDetails;
export type DetailsOf<C extends ErrorCode> = z.output<(typeof errorDetails)[C]>;

/** A failure with a name, that survives the trip across a wire. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: C;
  readonly details: DetailsOf<C>;

  constructor(code: C, message: string, details: DetailsOf<C>, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

export function isAppError<C extends ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is { [K in C]: AppError<K> }[C] {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code as C));
}

export const SerializedError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type SerializedError = z.infer<typeof SerializedError>;

/** What leaves the core: known errors in full, anything else without its insides. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, details: { ...error.details } };
  }
  return {
    code: 'internal',
    message: 'Something went wrong inside the app. Its log tells more.',
    details: {},
  };
}

export function deserializeError({ code, message, details }: SerializedError): AppError {
  const declared = Object.hasOwn(errorDetails, code) ? (code as ErrorCode) : 'internal';
  const parsed = errorDetails[declared].safeParse(details);
  return parsed.success
    ? new AppError(declared, message, parsed.data)
    : new AppError('internal', message, {});
}
