import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { ProviderFailure, SerializedError } from './errors';
import { powerFields } from './front-matter-fields';
import { CallId, NotePath, RunId, ServerId } from './ids';
import { askErrors, callErrors, dataErrors, noteErrors, serverErrors, writeErrors } from './operation-errors';

export const RunPhase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('preparing') }),
  /** Waiting for the provider's first byte, or between bytes. */
  z.object({ kind: z.literal('waiting'), since: z.number() }),
  /** The provider refused for now; the next attempt is at `retryAt`. */
  z.object({
    kind: z.literal('retrying'),
    retryAt: z.number(),
    attempt: z.number().int(),
    failure: ProviderFailure,
    reason: z.string(),
  }),
  z.object({ kind: z.literal('reasoning') }),
  z.object({ kind: z.literal('writing') }),
  z.object({ kind: z.literal('calling'), running: z.number().int(), asked: z.number().int() }),
  z.object({
    kind: z.literal('finished'),
    reason: z.enum(['stop', 'length', 'content-filter', 'rounds', 'cancelled']),
  }),
  z.object({ kind: z.literal('failed'), error: SerializedError }),
  /** Its app ended or left the vault while it was written; `finishedAt` is when that was found. */
  z.object({ kind: z.literal('broke-off') }),
]);
export type RunPhase = z.infer<typeof RunPhase>;

export const TokenUsage = z.object({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  reasoningTokens: z.number().int().optional(),
  cachedInputTokens: z.number().int().optional(),
  /** Of the input: what was put into the provider's cache, at a price of its own. */
  cacheWriteTokens: z.number().int().optional(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

export const RunCall = z.object({
  callId: CallId,
  server: z.string(),
  tool: z.string(),
  state: z.enum(['asked', 'running', 'ok', 'error', 'denied', 'cancelled']),
  startedAt: z.number(),
  ms: z.number().nullable(),
  progress: z
    .object({
      progress: z.number(),
      total: z.number().nullable(),
      message: z.string(),
      /** The server writes what is no JSON-RPC while the call waits for its answer. */
      noise: z.literal(true).optional(),
    })
    .nullable(),
});
export type RunCall = z.infer<typeof RunCall>;

const inNote = { runId: RunId, path: NotePath, startedAt: z.number() };

export const AnswerRun = z.object({
  kind: z.literal('answer'),
  ...inNote,
  provider: z.string(),
  model: z.string(),
  /** Under which it is written. */
  tag: z.string(),
  phase: RunPhase,
  round: z.number().int(),
  finishedAt: z.number().nullable(),
  characters: z.number().int(),
  usage: TokenUsage.nullable(),
  /** What the model was asked without: attachments it does not take, tools, a search of the web. */
  notices: z.array(z.string()).optional(),
  /** In the price list's currency, US dollars; null where no price is known. */
  cost: z.number().nullable(),
  calls: z.array(RunCall),
});
export type AnswerRun = z.infer<typeof AnswerRun>;

/** A hook of the vault runs before an answer, which has the same id then: what the hook writes may decide who answers. */
export const HookBefore = z.object({
  kind: z.literal('hook'),
  ...inNote,
  /** Its name; null: none had begun. */
  hook: z.string().nullable(),
  /** Null, or when the person stopped it, and nothing was asked. */
  finishedAt: z.number().nullable(),
});
export type HookBefore = z.infer<typeof HookBefore>;

/** A call by itself: of a block run by hand, or one that went on at its server while the app was gone. It is gone when it has ended. */
export const CallRun = z.object({
  kind: z.literal('call'),
  ...inNote,
  finishedAt: z.null(),
  call: RunCall,
});
export type CallRun = z.infer<typeof CallRun>;

/** What holds a note: an answer, or the hook before one. */
export type NoteRun = AnswerRun | HookBefore;

/** What goes on in a note; of answers the last one, too. */
export const Run = z.discriminatedUnion('kind', [AnswerRun, HookBefore, CallRun]);
export type Run = z.infer<typeof Run>;

/** A failed answer that is tried again by itself: the one in the note whose facts say this time. */
export const WaitingRetry = z.object({ path: NotePath, retryAt: z.number() });
export type WaitingRetry = z.infer<typeof WaitingRetry>;

/** What an answer would be asked for with, of what a note has a say in. */
export const PowerSubject = z.enum([
  ...['approval', 'agent', 'model', 'max_tokens', 'reasoning', 'parameters', 'web_search', 'tools'],
] as const);
export type PowerSubject = z.infer<typeof PowerSubject>;

/** A value as it is in force without the note's word, and as the note wants it. Null: none, or as it is by itself. */
export const PowerChange = z.object({
  what: PowerSubject,
  now: z.string().nullable(),
  wants: z.string().nullable(),
});
export type PowerChange = z.infer<typeof PowerChange>;

/** A value in a note that gives power: `words` are exactly what a person agrees to. */
export const NotePower = z.object({
  /** The field of the front matter that holds it. */
  field: z.enum(powerFields),
  /** Through whom it answers, where that is part of it. */
  agent: z.string().nullable(),
  words: z.string(),
});
export type NotePower = z.infer<typeof NotePower>;

/** What of a note waits for the person's word, and the difference that all of it makes. */
export const NoteAsk = z.object({ powers: z.array(NotePower), changes: z.array(PowerChange) });
export type NoteAsk = z.infer<typeof NoteAsk>;

/** A tool that wrote into a note, by the name of its server. */
export const WritingTool = z.object({ server: z.string(), tool: z.string() });
export type WritingTool = z.infer<typeof WritingTool>;

/** A line that a tool wrote into a note and that the person has not accepted as theirs; without a tag that it begins with. */
export const ToolLine = WritingTool.extend({ words: z.string() });
export type ToolLine = z.infer<typeof ToolLine>;

/** Where in a note: an offset into the text that the session had at `version`. */
const Place = z.object({
  path: NotePath,
  at: z.number().int().nonnegative(),
  version: z.number().int().nonnegative(),
});

export const chatOperations = {
  /**
   * Starts an answer after the message at `at` and returns at once; the text arrives through the note.
   * A `tag` is whom the person chose, never what stands in the note: without it the note, then the default provider, says
   * who answers.
   */
  'chat.run': call(
    Place.extend({
      tag: z.string().optional(),
      model: z.string().optional(),
      /** The conversation was too long so many times: the oldest of it is left out. */
      trim: z.number().int().min(1).max(10).optional(),
      /** The answer at `at` makes place for the new one. */
      replace: z.boolean().optional(),
      /** A second answer below the one at `at`, which it does not know. */
      beside: z.boolean().optional(),
      /** The answer whose failure stands at `at` once more, whatever the person wrote below that. */
      again: z.boolean().optional(),
      /** The line break that ends the note was put there for the answer's sake, and goes when it comes. */
      room: z.boolean().optional(),
    }),
    z.object({ runId: RunId }),
    [...askErrors, 'chat.busy'],
  ),
  /** Stops the provider's stream and every call of the run; what is written stays. */
  'chat.stop': call(z.object({ runId: RunId }), z.void()),
  /** Tries a failed answer again by itself once its time has come, or does not any more; holds across a new start. */
  'chat.retryLater': call(WaitingRetry.extend({ on: z.boolean() }), z.void(), dataErrors),
  'chat.waiting': state(z.object({}), z.array(WaitingRetry)),
  /** Runs the tool block at `at` by hand, its result goes below it; or makes a model's call there once more, in its place. */
  'chat.runBlock': call(
    Place.extend({
      /** What the person saw of it when they pressed: another call that is found at the place is not made. */
      call: z.object({ server: z.string(), tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    }),
    z.object({ callId: CallId }),
    [...noteErrors, ...callErrors, 'chat.changes-below'],
  ),
  /** What a note allows is agreed to, as it was shown. */
  'chat.agreeToNote': call(z.object({ path: NotePath, powers: z.array(NotePower) }), z.void(), [
    ...noteErrors,
    ...dataErrors,
  ]),
  /**
   * What of an open note tools wrote: in a turn of the person it counts as the tool's word. Read whenever a tool has written;
   * another number in `touched` has it read once more.
   */
  'chat.toolLines': state(z.object({ path: NotePath, touched: z.number().int() }), z.array(ToolLine)),
  /** These lines, as they were shown, are the person's word from now on. */
  'chat.acceptLines': call(z.object({ path: NotePath, lines: z.array(z.string()) }), z.void(), dataErrors),
  'chat.stopCall': call(z.object({ callId: CallId }), z.void()),
  /** A server's prompt as turns for a note; what it brings besides text is saved or linked to. */
  'chat.promptTurns': call(
    z.object({ serverId: ServerId, name: z.string(), arguments: z.record(z.string(), z.string()) }),
    z.object({ turns: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })) }),
    [...serverErrors, ...writeErrors],
  ),
  /** Live runs, and each note's last finished one. */
  'chat.runs': state(z.object({}), z.array(Run)),
  /** Who would answer here; null where nobody can. */
  'chat.answerer': call(
    Place.extend({ tag: z.string().optional() }),
    /** `unavailable`: what it would be asked without, such as tools that it cannot call. */
    z.object({ tag: z.string(), model: z.string(), unavailable: z.array(z.string()) }).nullable(),
    askErrors,
  ),
  /** What an answer asked for here would send. Tokens are an estimate. */
  'chat.preview': call(
    Place.extend({ tag: z.string().optional() }),
    z.object({
      provider: z.string().nullable(),
      model: z.string().nullable(),
      turns: z.number().int(),
      estimatedTokens: z.number().int(),
      toolTokens: z.number().int(),
      tools: z.number().int(),
      /** Tokens that the model takes; null where that is not known. */
      contextWindow: z.number().int().nullable(),
      /** US dollars for what is sent, without an answer; null where no price is known. */
      estimatedCost: z.number().nullable(),
      /** Notes and, with a `server`, resources whose text goes along. */
      expanded: z.array(
        z.object({
          target: z.string(),
          server: z.string().nullable(),
          characters: z.number().int(),
          tokens: z.number().int(),
        }),
      ),
      /** Tools that wrote turns of the person which go along as the tools' word, or (`isWhole` false) a part of them. */
      toolTurns: z.array(z.object({ tools: z.array(WritingTool), isWhole: z.boolean() })),
      attachments: z.array(z.object({ target: z.string(), mediaType: z.string(), bytes: z.number() })),
      warnings: z.array(z.string()),
      /** Of the warnings: what was to go along and this model does not take. */
      unsent: z.array(z.string()),
    }),
    askErrors,
  ),
} as const;
