import * as z from 'zod';
import { call, picture } from './define';
import { ServerId } from './ids';

export const ServerState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('starting'), attempt: z.number().int() }),
  z.object({ kind: z.literal('ready'), since: z.number() }),
  z.object({ kind: z.literal('degraded'), since: z.number(), reason: z.string() }),
  z.object({ kind: z.literal('unhealthy'), reason: z.string() }),
  z.object({ kind: z.literal('needs-sign-in') }),
  z.object({
    kind: z.literal('waiting'),
    retryAt: z.number(),
    attempt: z.number().int(),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('disabled'), by: z.enum(['user', 'failures']), reason: z.string() }),
]);
export type ServerState = z.infer<typeof ServerState>;

/** `bundled` is the vault server that comes with the app. */
export const ServerLevel = z.enum(['user', 'vault', 'bundled']);
export type ServerLevel = z.infer<typeof ServerLevel>;

/** A value that is not shown: a literal in the file may be a secret, a reference such as `${secret:x}` is not. */
const MaskedValue = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reference'), text: z.string() }),
  z.object({ kind: z.literal('hidden') }),
]);

const Approval = z.enum(['ask', 'allow', 'deny']);

/** What a person may write about a server; the same keys as in `mcp.json`. */
export const ServerDraft = z.object({
  name: z.string().min(1).max(128),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  transport: z.enum(['auto', 'stdio', 'http', 'sse']).optional(),
  enabled: z.boolean().optional(),
  autostart: z.boolean().optional(),
  /** Milliseconds. */
  timeout: z.number().int().positive().optional(),
  initTimeout: z.number().int().positive().optional(),
  longRunning: z.boolean().optional(),
  concurrency: z.number().int().positive().optional(),
  disabledTools: z.array(z.string()).optional(),
  approval: z.record(z.string(), Approval).optional(),
  roots: z.array(z.string()).optional(),
});
export type ServerDraft = z.infer<typeof ServerDraft>;

export const ServerPicture = z.object({
  id: ServerId,
  name: z.string(),
  level: ServerLevel,
  transport: z.enum(['stdio', 'http', 'sse', 'auto']),
  /** The program with its arguments, or the address; literal secrets hidden. */
  target: z.string(),
  /** As the file says, references unexpanded; null where the server has none, or a literal secret stands in it. */
  command: z.string().nullable(),
  args: z.array(z.string()).nullable(),
  url: z.string().nullable(),
  env: z.record(z.string(), MaskedValue),
  headers: z.record(z.string(), MaskedValue),
  cwd: z.string().nullable(),
  enabled: z.boolean(),
  autostart: z.boolean(),
  timeout: z.number().nullable(),
  state: ServerState,
  /** Null until the server has been asked: not the same as none. */
  tools: z.number().int().nullable(),
  resources: z.number().int().nullable(),
  prompts: z.number().int().nullable(),
  /** Tools that the server offered in a form that cannot be used. */
  rejected: z.array(z.object({ tool: z.string(), reason: z.string() })),
  server: z.object({ name: z.string(), version: z.string(), era: z.enum(['legacy', 'modern']) }).nullable(),
  lastError: z.object({ message: z.string(), at: z.number() }).nullable(),
});
export type ServerPicture = z.infer<typeof ServerPicture>;

export const ConfigProblem = z.object({
  /** `waits`: nothing is wrong, but the vault has to be trusted first. */
  kind: z.enum(['wrong', 'waits']),
  level: ServerLevel,
  file: z.string(),
  server: z.string().nullable(),
  message: z.string(),
});
export type ConfigProblem = z.infer<typeof ConfigProblem>;

export const Recognised = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('empty') }),
  z.object({ kind: z.literal('command'), servers: z.array(ServerDraft) }),
  z.object({ kind: z.literal('url'), servers: z.array(ServerDraft) }),
  z.object({ kind: z.literal('json'), servers: z.array(ServerDraft) }),
  z.object({ kind: z.literal('unrecognised'), hint: z.string() }),
]);
export type Recognised = z.infer<typeof Recognised>;

const named = z.object({ serverId: ServerId });

export const mcpOperations = {
  'mcp.servers': picture(
    z.object({}),
    z.object({ servers: z.array(ServerPicture), problems: z.array(ConfigProblem) }),
  ),
  /** Reads a command line, JSON in any of the common forms, or an address. Starts nothing. */
  'mcp.recognise': call(z.object({ text: z.string().max(200_000) }), Recognised),
  'mcp.templates': call(
    z.object({}),
    z.array(z.object({ title: z.string(), description: z.string(), draft: ServerDraft })),
  ),
  'mcp.add': call(
    z.object({ level: z.enum(['user', 'vault']), servers: z.array(ServerDraft).min(1).max(100) }),
    z.object({ serverIds: z.array(ServerId) }),
  ),
  /** Keys left out stay as they are; so does everything in the file that is not ours. */
  'mcp.update': call(named.extend({ changes: ServerDraft.partial() }), z.void()),
  'mcp.remove': call(named, z.void()),
  'mcp.start': call(named, z.void()),
  'mcp.stop': call(named, z.void()),
  'mcp.restart': call(named, z.void()),
  'mcp.setEnabled': call(named.extend({ enabled: z.boolean() }), z.void()),
  /** Connects once, lists everything, disconnects; adds nothing. */
  'mcp.test': call(
    z.object({ server: ServerDraft }),
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('ok'),
        ms: z.number(),
        era: z.enum(['legacy', 'modern']),
        tools: z.array(z.object({ name: z.string(), description: z.string() })),
      }),
      z.object({ kind: z.literal('failed'), message: z.string(), log: z.array(z.string()) }),
    ]),
  ),
  /** The newest 500 lines the server wrote, secrets hidden. */
  'mcp.log': picture(
    named,
    z.array(z.object({ at: z.number(), from: z.enum(['stderr', 'log', 'app']), text: z.string() })),
  ),
} as const;
