import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { FlowSource, ToolFlow } from './flow';
import { CallId, NotePath, RunId, ServerId } from './ids';
import { CallArguments, Json, JsonObject } from './json';
import { callErrors, configErrors, dataErrors, noteErrors } from './operation-errors';

export const Approval = z.enum(['ask', 'allow', 'deny']);
export type Approval = z.infer<typeof Approval>;

/** What a server claims of a tool. Shown, never trusted. */
export const ToolAnnotations = z.object({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

/** `view`: pages that the same server brings. */
export const ToolCallers = z.array(z.enum(['model', 'view'])).readonly();
export type ToolCallers = z.infer<typeof ToolCallers>;

export const Grant = z.object({
  id: z.string(),
  scope: z.enum(['note', 'tool', 'server']),
  serverId: ServerId,
  serverName: z.string(),
  tool: z.string().nullable(),
  path: NotePath.nullable(),
  /** Name of the vault that it holds in; left out: in all, or not known. */
  vaultName: z.string().optional(),
  grantedAt: z.number(),
});
export type Grant = z.infer<typeof Grant>;

export const ToolEntry = z.object({
  serverId: ServerId,
  serverName: z.string(),
  name: z.string(),
  /** The name given to models: `server__tool`, safe for every provider. */
  modelName: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: JsonObject,
  outputSchema: JsonObject.nullable(),
  annotations: ToolAnnotations,
  /** Hash of name, description, schemas and annotations. */
  definition: z.string(),
  /** Another one whenever what is agreed to with it is: its definition, or what is behind its server. */
  revision: z.string(),
  /** What its definition costs in every request: an estimate. */
  tokens: z.number().int(),
  enabled: z.boolean(),
  /** What a call meets, as far as its note and its agent say nothing else. */
  approval: Approval,
  /** It is not what it was when it was allowed: that is why it is asked for. */
  changed: z.boolean(),
  /** What was always allowed and covers it. `holds`: for the tool as it is now. */
  grants: z.array(Grant.pick({ id: true, scope: true, path: true }).extend({ holds: z.boolean() })),
  /** Milliseconds; null: its server's or the general limit holds. */
  timeout: z.number().nullable(),
  /** What it reads and whether it sends. `by`: who says so; nobody: the worst is assumed. */
  flow: ToolFlow.extend({ by: z.enum(['person', 'app', 'nobody']) }),
  /** A picture as `data:` address. */
  icon: z.string().optional(),
  /** Address of a page of the server that shows what this tool answers. */
  viewUri: z.string().optional(),
  /** Who may call it; left out: both. */
  callers: ToolCallers.optional(),
});
export type ToolEntry = z.infer<typeof ToolEntry>;

/** When a tool was called last. */
export const ToolUse = z.object({ serverId: ServerId, name: z.string(), at: z.number() });
export type ToolUse = z.infer<typeof ToolUse>;

export const ResultPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('json'), value: Json }),
  z.object({ kind: z.literal('image'), mediaType: z.string(), base64: z.string() }),
  z.object({ kind: z.literal('audio'), mediaType: z.string(), base64: z.string() }),
  z.object({
    kind: z.literal('resource'),
    uri: z.string(),
    mediaType: z.string().nullable(),
    text: z.string(),
  }),
  z.object({ kind: z.literal('link'), uri: z.string(), name: z.string() }),
  z.object({ kind: z.literal('unknown'), value: Json }),
]);
export type ResultPart = z.infer<typeof ResultPart>;

export const CallStatus = z.enum(['ok', 'error', 'cancelled', 'denied', 'interrupted']);
export type CallStatus = z.infer<typeof CallStatus>;

export const CallOutcome = z.object({
  callId: CallId,
  status: CallStatus,
  parts: z.array(ResultPart),
  ms: z.number(),
  at: z.number(),
  cached: z.boolean(),
  truncated: z.boolean(),
  definition: z.string().nullable(),
  /** Nothing was called: they do not fit the tool. */
  badArguments: z.literal(true).optional(),
  /** What the server added for its view; never part of a note or of what a model reads. */
  meta: JsonObject.optional(),
});
export type CallOutcome = z.infer<typeof CallOutcome>;

/** `app`: a view of the server whose tool it is. */
export const Caller = z.enum(['model', 'person', 'hook', 'app']);
export type Caller = z.infer<typeof Caller>;

/** A call that waits for a person. */
export const ApprovalAsked = z.object({
  id: z.string(),
  callId: CallId,
  runId: RunId.nullable(),
  path: NotePath.nullable(),
  by: Caller,
  serverId: ServerId,
  serverName: z.string(),
  tool: z.string(),
  title: z.string(),
  arguments: CallArguments,
  annotations: ToolAnnotations,
  askedAt: z.number(),
  why: z.discriminatedUnion('kind', [
    /** `formerly`: it was allowed in a note of this name, and which note that was was not kept. */
    z.object({ kind: z.literal('policy'), formerly: z.boolean().optional() }),
    /** The definition or the command behind the server is not the one that "always" was said to. */
    z.object({ kind: z.literal('changed'), before: z.string(), after: z.string() }),
    z.object({ kind: z.literal('call-limit'), calls: z.number().int() }),
    z.object({ kind: z.literal('cached'), ageMs: z.number() }),
    /** It is allowed, but can carry outside what was read: see `flow`. */
    z.object({ kind: z.literal('flow') }),
    /** It names a file or folder that programs obey or run, such as `.git`, or the app’s own `.interlinear`. */
    z.object({ kind: z.literal('obeyed-file'), name: z.string() }),
  ]),
  /** What was read before a call that can send: something private and something that others may have written. */
  flow: z.array(FlowSource).optional(),
});
export type ApprovalAsked = z.infer<typeof ApprovalAsked>;

export const Decision = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('allow'),
    /** `conversation`: it may carry outside what this conversation had read, until the app ends. */
    remember: z.enum(['once', 'conversation', 'note', 'tool', 'server']),
    /** Edited before the call. */
    arguments: CallArguments.optional(),
  }),
  z.object({ kind: z.literal('use-cached') }),
  z.object({ kind: z.literal('deny'), reason: z.string().default('') }),
]);
export type Decision = z.infer<typeof Decision>;

/** How much of what is allowed is used up. */
export const LimitsUsed = z.object({
  /** Calls that run now; `waiting` stand in line. At most `atOnce` run, but that slow ones count for their own server only. */
  running: z.number().int(),
  waiting: z.number().int(),
  atOnce: z.number().int(),
  /** Calls that a note may make; −1: no limit. */
  callsPerNote: z.number().int(),
  /** Since the app started, or since the note's count was begun anew. */
  notes: z.array(z.object({ path: NotePath, calls: z.number().int() })),
});
export type LimitsUsed = z.infer<typeof LimitsUsed>;

const tool = z.object({ serverId: ServerId, tool: z.string() });

export const toolsOperations = {
  'tools.catalog': state(z.object({}), z.array(ToolEntry)),
  /** Of each tool that was ever called, as far as the history goes back; in no order. */
  'tools.lastUsed': state(z.object({}), z.array(ToolUse)),
  /**
   * Goes through the same validation and policy as a model's call. `seen`: the person has the tool, as of this revision, and
   * these arguments before them and wants them run; what is not that any more is asked about.
   */
  'tools.call': call(
    tool.extend({
      arguments: CallArguments,
      path: NotePath.nullable(),
      seen: z.string().optional(),
    }),
    CallOutcome,
    [...noteErrors, ...callErrors],
  ),
  'tools.approvals': state(z.object({}), z.array(ApprovalAsked)),
  'tools.decide': call(z.object({ id: z.string(), decision: Decision }), z.void(), [
    ...dataErrors,
    'mcp.unknown-server',
    'tool.unknown',
    'tool.invalid-arguments',
  ]),
  'tools.setEnabled': call(tool.extend({ enabled: z.boolean() }), z.void(), [
    ...configErrors,
    'tool.unknown',
  ]),
  /** Milliseconds; null: as its server's other tools. */
  'tools.setTimeout': call(
    tool.extend({
      timeout: z.number().int().min(100).nullable(),
      /** What it replaces; `settings.changed` where it is something else by now. */
      seen: z.number().nullable().optional(),
    }),
    z.void(),
    [...configErrors, 'tool.unknown', 'settings.changed'],
  ),
  /** `seen`: the revision that the person was shown; `tool.changed` where another one would be allowed by now. */
  'tools.setApproval': call(tool.extend({ approval: Approval, seen: z.string() }), z.void(), [
    ...dataErrors,
    'mcp.unknown-server',
    'tool.unknown',
    'tool.changed',
  ]),
  /** What the person says that it reads and whether it sends, of the revision that was `seen`; null: as the app knows it. */
  'tools.setFlow': call(tool.extend({ flow: ToolFlow.nullable(), seen: z.string() }), z.void(), [
    ...configErrors,
    'tool.unknown',
    'tool.changed',
  ]),
  'tools.grants': state(z.object({}), z.array(Grant)),
  'tools.revoke': call(z.object({ id: z.string() }), z.void(), dataErrors),
  'tools.limits': state(z.object({}), LimitsUsed),
  /** A new count from zero for this note. */
  'tools.resetLimit': call(z.object({ path: NotePath }), z.void(), dataErrors),
} as const;
