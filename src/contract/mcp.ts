import './no-eval';
import * as z from 'zod';
import { AskAnswer, ServerAsk } from './asks';
import { call, state } from './define';
import { FlowRules } from './flow';
import { ServerId } from './ids';
import { configErrors, secretErrors, serverErrors } from './operation-errors';
import { RejectedTool } from './rejected-tools';
import { Sandbox, ServerSandbox } from './sandbox';
import { ServerReason } from './server-reasons';
import { Approval, ResultPart } from './tools';

export const ServerState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('starting'), attempt: z.number().int() }),
  z.object({ kind: z.literal('ready'), since: z.number() }),
  z.object({ kind: z.literal('degraded'), since: z.number(), reason: ServerReason }),
  z.object({ kind: z.literal('unhealthy'), reason: ServerReason }),
  z.object({ kind: z.literal('needs-sign-in') }),
  z.object({
    kind: z.literal('waiting'),
    retryAt: z.number(),
    attempt: z.number().int(),
    reason: ServerReason,
  }),
  z.object({ kind: z.literal('failed'), reason: ServerReason }),
  z.object({ kind: z.literal('disabled'), by: z.enum(['user', 'failures']), reason: ServerReason }),
]);
export type ServerState = z.infer<typeof ServerState>;

/** `bundled` is the vault server that comes with the app. */
export const ServerLevel = z.enum(['user', 'vault', 'bundled']);
export type ServerLevel = z.infer<typeof ServerLevel>;

const MaskedValue = z.discriminatedUnion('kind', [
  /** Such as `${secret:x}`: it gives nothing away. */
  z.object({ kind: z.literal('reference'), text: z.string() }),
  z.object({ kind: z.literal('plain'), text: z.string() }),
  /** A literal that may be a secret. Written back as `as`, it moves into the key store. */
  z.object({ kind: z.literal('hidden'), as: z.string() }),
]);

/** As it stands in `${secret:name}`. */
const SecretName = z
  .string()
  .regex(/^[\w.\-/ ]+$/)
  .max(200);

/** How grave a message of a server has to be to be sent, the least grave first. */
export const LogLevel = z.enum([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);
export type LogLevel = z.infer<typeof LogLevel>;

/** How to sign in at a server, where its own word is not enough. Every text may be a reference such as `${secret:x}`. */
export const OAuthConfig = z.object({
  /** Without it a browser, with a code from a loopback address. */
  grant: z.enum(['browser', 'device', 'client-credentials']).optional(),
  /** A client that was made known to the sign-in service by hand. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** PKCS #8 in PEM, in place of a secret. */
  privateKey: z.string().min(1).optional(),
  algorithm: z.string().min(1).optional(),
  /** The only sign-in service that may be used with this client. */
  issuer: z.string().min(1).optional(),
  /** An https document that describes this app (client id metadata). */
  clientMetadataUrl: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
  callbackPort: z.number().int().min(1).max(65_535).optional(),
});
export type OAuthConfig = z.infer<typeof OAuthConfig>;

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
  /** Asked from time to time whether it is there. */
  monitoring: z.boolean().optional(),
  checkInterval: z.number().int().min(1_000).optional(),
  /** How often in a row it is started again by itself. */
  restarts: z.number().int().min(0).max(100).optional(),
  /** Milliseconds, by tool; before `timeout`. */
  toolTimeouts: z.record(z.string(), z.number().int().positive()).optional(),
  disabledTools: z.array(z.string()).optional(),
  approval: z.record(z.string(), Approval).optional(),
  flow: FlowRules.optional(),
  roots: z.array(z.string()).optional(),
  logLevel: LogLevel.optional(),
  oauth: OAuthConfig.optional(),
  /** Of a program. Left out: one that a vault brings runs in a sandbox, any other with the person's own rights. */
  sandbox: Sandbox.optional(),
});
export type ServerDraft = z.infer<typeof ServerDraft>;

/** A folder of `roots`, and where it leads. */
export const RootEntry = z.object({
  /** As the file says it. */
  root: z.string(),
  /** Its path from the top of the vault, which itself is empty; null: it is no folder of the vault. */
  inVault: z.string().nullable(),
  isThere: z.boolean(),
});
export type RootEntry = z.infer<typeof RootEntry>;

const { name: draftName, ...draftSettings } = ServerDraft.shape;
type Nullable<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodNullable<S[K]> };

/** What is left out stays as it is; null takes a key away, so that what holds in general holds again. */
export const ServerChanges = z.object({
  name: draftName.optional(),
  ...(Object.fromEntries(
    Object.entries(draftSettings).map(([key, schema]) => [key, (schema as z.ZodType).nullable()]),
  ) as Nullable<typeof draftSettings>),
});
export type ServerChanges = z.infer<typeof ServerChanges>;

export const ServerEntry = z.object({
  id: ServerId,
  /** Another one whenever something of its entry is, also what is not shown. */
  revision: z.string(),
  name: z.string(),
  level: ServerLevel,
  transport: z.enum(['stdio', 'http', 'sse', 'auto']),
  /** The program with its arguments, or the address; literal secrets hidden. */
  target: z.string(),
  /** As the file says; null where the server has none, or a literal secret stands in it. In `hiddenArgs` one has a reference. */
  command: z.string().nullable(),
  args: z.array(z.string()).nullable(),
  hiddenArgs: z.array(z.string()).optional(),
  url: z.string().nullable(),
  env: z.record(z.string(), MaskedValue),
  headers: z.record(z.string(), MaskedValue),
  cwd: z.string().nullable(),
  /** What it may touch; null: it is no program that is started here, or it is the app's own. */
  sandbox: ServerSandbox.nullable(),
  autostart: z.boolean(),
  timeout: z.number().nullable(),
  initTimeout: z.number().nullable(),
  longRunning: z.boolean(),
  concurrency: z.number().nullable(),
  /** As the file says; null: what `knowsVault` says. */
  roots: z.array(z.string()).nullable(),
  /** It belongs to the vault, or is started with it: where nothing else is said it may know all its folders. */
  knowsVault: z.boolean(),
  /** Its own settings of how closely it is watched; null: the general ones hold. */
  monitoring: z.boolean().nullable(),
  checkInterval: z.number().nullable(),
  restarts: z.number().nullable(),
  logLevel: LogLevel,
  state: ServerState,
  /** Null until the server has been asked: not the same as none. */
  tools: z.number().int().nullable(),
  resources: z.number().int().nullable(),
  prompts: z.number().int().nullable(),
  /** Tools that the server offered in a form that cannot be used. */
  rejected: z.array(RejectedTool),
  server: z
    .object({
      name: z.string(),
      version: z.string(),
      era: z.enum(['legacy', 'modern']),
      /** A picture as `data:` address. */
      icon: z.string().optional(),
    })
    .nullable(),
  lastError: z.object({ reason: ServerReason, at: z.number() }).nullable(),
  /** Null where no sign-in is possible: a program, or an address that is given an `Authorization` header. */
  signIn: z
    .object({
      signedIn: z.boolean(),
      /** What a person is to open, and the code to type there; null: nothing is under way. */
      underWay: z.object({ url: z.string(), code: z.string().nullable() }).nullable(),
    })
    .nullable(),
});
export type ServerEntry = z.infer<typeof ServerEntry>;

export const ConfigProblem = z.object({
  /** `waits`: nothing is wrong, but the vault has to be trusted first. */
  kind: z.enum(['wrong', 'waits']),
  level: ServerLevel,
  file: z.string(),
  server: z.string().nullable(),
  message: z.string(),
});
export type ConfigProblem = z.infer<typeof ConfigProblem>;

/** A part of what another program says of a server, or (`what` null) a whole entry, that has no place here. */
export const NotTaken = z.object({ server: z.string(), what: z.string().nullable(), reason: z.string() });
export type NotTaken = z.infer<typeof NotTaken>;

const newServers = { servers: z.array(ServerDraft), skipped: z.array(NotTaken) };

export const Recognised = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('empty') }),
  z.object({ kind: z.literal('command'), ...newServers }),
  z.object({ kind: z.literal('url'), ...newServers }),
  z.object({ kind: z.literal('json'), ...newServers }),
  z.object({ kind: z.literal('toml'), ...newServers }),
  z.object({ kind: z.literal('yaml'), ...newServers }),
  z.object({ kind: z.literal('link'), ...newServers }),
  z.object({ kind: z.literal('unrecognised'), hint: z.string() }),
]);
export type Recognised = z.infer<typeof Recognised>;

export const ResourceList = z.object({
  resources: z.array(
    z.object({
      uri: z.string(),
      name: z.string(),
      title: z.string(),
      description: z.string(),
      mediaType: z.string().nullable(),
      size: z.number().nullable(),
    }),
  ),
  templates: z.array(
    z.object({
      uriTemplate: z.string(),
      name: z.string(),
      title: z.string(),
      description: z.string(),
      mediaType: z.string().nullable(),
    }),
  ),
});
export type ResourceList = z.infer<typeof ResourceList>;

/** One of `text` and `base64` is there. */
export const ResourceContent = z.object({
  uri: z.string(),
  mediaType: z.string().nullable(),
  text: z.string().nullable(),
  base64: z.string().nullable(),
});
export type ResourceContent = z.infer<typeof ResourceContent>;

export const PromptEntry = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(
    z.object({ name: z.string(), title: z.string(), description: z.string(), required: z.boolean() }),
  ),
});
export type PromptEntry = z.infer<typeof PromptEntry>;

export const PromptTurns = z.object({
  description: z.string(),
  turns: z.array(z.object({ role: z.enum(['user', 'assistant']), parts: z.array(ResultPart) })),
});
export type PromptTurns = z.infer<typeof PromptTurns>;

const serverRef = z.object({ serverId: ServerId });

/** A server to begin with; what it is for is said by whoever shows it. */
export const ServerTemplate = z.object({
  id: z.enum(['filesystem', 'memory', 'everything', 'git', 'fetch', 'exa', 'my-server']),
  draft: ServerDraft,
});
export type ServerTemplate = z.infer<typeof ServerTemplate>;

export const mcpOperations = {
  'mcp.servers': state(
    z.object({}),
    z.object({
      servers: z.array(ServerEntry),
      problems: z.array(ConfigProblem),
      /** No tool is called until they are resumed. Holds while the app runs. */
      paused: z.boolean(),
    }),
  ),
  /** Calls that are under way end; no other one begins. Servers go on running, and no file is changed. */
  'mcp.setPaused': call(z.object({ paused: z.boolean() }), z.void()),
  /** Reads a command line, JSON, TOML or YAML in any of the common forms, or an address. Starts nothing. */
  'mcp.recognise': call(z.object({ text: z.string().max(200_000) }), Recognised, ['mcp.invalid-config']),
  'mcp.roots': call(z.object({ serverId: ServerId }), z.array(RootEntry), ['mcp.unknown-server']),
  'mcp.templates': call(z.object({}), z.array(ServerTemplate)),
  /** Servers that other programs on this computer have, and are not here yet. */
  'mcp.elsewhere': call(
    z.object({}),
    z.array(z.object({ app: z.string(), file: z.string(), ...newServers })),
  ),
  /** All but the bundled one, as an `mcpServers` file without secrets. */
  'mcp.export': call(z.object({}), z.object({ text: z.string() }), configErrors),
  'mcp.add': call(
    z.object({ level: z.enum(['user', 'vault']), servers: z.array(ServerDraft).min(1).max(100) }),
    z.object({ serverIds: z.array(ServerId) }),
    [...configErrors, 'mcp.name-taken'],
  ),
  /** Keys left out stay as they are; so does everything in the file that is not ours. */
  /** `seen`: the revision that the changes are meant for; `settings.changed` where it is another by now. */
  'mcp.update': call(serverRef.extend({ changes: ServerChanges, seen: z.string().optional() }), z.void(), [
    ...configErrors,
    'mcp.name-taken',
    'settings.changed',
  ]),
  'mcp.remove': call(serverRef, z.void(), configErrors),
  /** Whether the key store has what `${secret:name}` asks for; values never come back. */
  'mcp.secrets': call(
    z.object({ names: z.array(SecretName).max(200) }),
    z.array(z.object({ name: z.string(), stored: z.boolean() })),
    ['secrets.unavailable'],
  ),
  /** Null takes it away. Servers that ask for it are started anew. */
  'mcp.storeSecret': call(
    z.object({ name: SecretName, value: z.string().min(1).max(20_000).nullable() }),
    z.void(),
    secretErrors,
  ),
  'mcp.start': call(serverRef, z.void(), serverErrors),
  'mcp.stop': call(serverRef, z.void(), ['mcp.unknown-server']),
  'mcp.restart': call(serverRef, z.void(), serverErrors),
  /** On: also starts what was given up after failures. */
  'mcp.setEnabled': call(serverRef.extend({ enabled: z.boolean() }), z.void(), configErrors),
  /** Opens a browser, or shows a code, and answers when the server is up. Another one in its place, or `mcp.signOut`, ends it. */
  'mcp.signIn': call(serverRef.extend({ way: z.enum(['browser', 'device']).default('browser') }), z.void(), [
    ...serverErrors,
    ...secretErrors,
    'mcp.sign-in-failed',
    'host.unsupported',
  ]),
  /** Also ends a sign-in that is under way. */
  'mcp.signOut': call(serverRef, z.void(), [...secretErrors, 'mcp.unknown-server', 'mcp.not-revoked']),
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
      z.object({ kind: z.literal('failed'), reason: ServerReason, log: z.array(z.string()) }),
    ]),
    configErrors,
  ),
  'mcp.resources': call(serverRef, ResourceList, serverErrors),
  'mcp.readResource': call(serverRef.extend({ uri: z.string() }), z.array(ResourceContent), serverErrors),
  /** Read anew whenever the server says that it has changed, where it can say so. */
  'mcp.followResource': state(serverRef.extend({ uri: z.string() }), z.array(ResourceContent), serverErrors),
  'mcp.prompts': call(serverRef, z.array(PromptEntry), serverErrors),
  'mcp.getPrompt': call(
    serverRef.extend({ name: z.string(), arguments: z.record(z.string(), z.string()) }),
    PromptTurns,
    serverErrors,
  ),
  /** What could be written there; empty where the server has no idea. */
  'mcp.complete': call(
    serverRef.extend({
      of: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('prompt'), name: z.string() }),
        z.object({ kind: z.literal('resource'), uriTemplate: z.string() }),
      ]),
      argument: z.string(),
      value: z.string(),
      others: z.record(z.string(), z.string()).default({}),
    }),
    z.array(z.string()),
    serverErrors,
  ),
  /** Questions of servers that wait for the person. */
  'mcp.asks': state(z.object({}), z.array(ServerAsk)),
  'mcp.answer': call(z.object({ id: z.string(), answer: AskAnswer }), z.void()),
  /** The newest 500 lines the server wrote, secrets hidden. */
  'mcp.log': state(
    serverRef,
    z.array(z.object({ at: z.number(), from: z.enum(['stderr', 'log', 'app']), text: z.string() })),
    ['mcp.unknown-server'],
  ),
} as const;
