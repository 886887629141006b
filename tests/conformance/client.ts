import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAppError } from '../../src/contract/errors';
import { createLog, systemClock } from '../../src/core/foundation';
import type { Host } from '../../src/core/host';
import { createMcp } from '../../src/core/mcp';
import { createMemorySecrets } from '../support/in-memory';
import { createOwnPrograms, schemaProgram } from '../support/own-programs';

/**
 * The client that the protocol's own conformance suite is run against: the app's whole `core/mcp` with a person who
 * signs in where asked, says yes to every question, and uses everything that the server offers once.
 */
interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly issuer?: string;
  readonly toolCalls?: readonly { name: string; arguments: Record<string, unknown> }[];
}

const url = process.argv.at(-1) ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context;
const data = mkdtempSync(join(tmpdir(), 'interlinear-conformance-'));
process.on('exit', () => rmSync(data, { recursive: true, force: true }));
const life = new AbortController();

const oauth = {
  clientId: context.client_id,
  clientSecret: context.client_secret,
  privateKey: context.private_key_pem,
  algorithm: context.signing_algorithm,
  issuer: context.issuer,
  ...(scenario.startsWith('auth/client-credentials') && { grant: 'client-credentials' }),
  // Only where a service takes it does this address, the suite's own, play a part.
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
};
writeFileSync(
  join(data, 'mcp.json'),
  JSON.stringify({ mcpServers: { server: { url, oauth, timeout: 20_000 } } }),
);

const log = createLog(({ event, facts }) => process.stderr.write(`${event} ${JSON.stringify(facts)}\n`));
const host: Host = {
  info: { kind: 'node', version: '0.1.0', platform: process.platform, canPickFolder: false },
  dataFolder: data,
  documentsFolder: data,
  resourcesFolder: data,
  vaultServer: { command: process.execPath, args: ['-e', ''], env: {} },
  schemaProgram,
  environment: process.env,
  log,
  clock: systemClock,
  secrets: createMemorySecrets(),
  settingsFile: { path: 'memory', read: () => ({}), write: () => undefined },
  // The person's browser: it follows where the service sends it.
  openExternal: async (address) => void fetch(address).catch(() => undefined),
  pickFolder: async () => null,
  moveToTrash: async () => undefined,
};
const programs = createOwnPrograms();
const mcp = createMcp({
  host,
  log,
  ...programs.parts,
  selectModel: async () => ({
    name: 'none',
    answer: async () => ({ model: 'none', text: 'An answer.', toolCalls: [], cut: false }),
  }),
});

async function answerQuestions(): Promise<void> {
  for await (const asks of mcp.asks.follow(life.signal))
    for (const { id, ask } of asks) {
      const confirmed = ask.kind === 'form' && hasField(ask.schema, 'confirmed');
      await mcp.asks.answer(id, { action: 'accept', ...(confirmed && { content: { confirmed } }) });
    }
}

const hasField = (schema: Record<string, unknown>, name: string) =>
  typeof schema.properties === 'object' && schema.properties !== null && name in schema.properties;

/** Signs in where that is asked for; how often is the app's own decision. */
async function signedIn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'mcp.sign-in-needed')) throw error;
      await mcp.signIn(serverId, 'browser', life.signal).catch((failure: unknown) => {
        if (!isAppError(failure, 'mcp.sign-in-needed')) throw failure;
      });
    }
  }
}

async function useTool(name: string, args: Record<string, unknown>): Promise<void> {
  const result = await signedIn(() =>
    mcp.call(serverId, name, args, {
      seen: null,
      timeoutMs: 20_000,
      longRunning: false,
      signal: life.signal,
    }),
  );
  process.stdout.write(`${name}: ${JSON.stringify(result.parts)}\n`);
}

/** A value for each field that has to be there. */
function example(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: string; enum?: unknown[]; default?: unknown }>;
    required?: string[];
  };
  const values: Record<string, unknown> = {
    string: 'x',
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
  };
  return Object.fromEntries(
    required.map((name) => {
      const field = properties[name] ?? {};
      return [name, field.default ?? field.enum?.[0] ?? values[field.type ?? 'string']];
    }),
  );
}

async function useAll(): Promise<void> {
  await signedIn(() => mcp.ready(serverId, life.signal));
  const tools = mcp.tools.get().filter((tool) => tool.serverId === serverId);
  const rich = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  for (const { name, inputSchema } of tools) {
    const given = context.toolCalls?.filter((call) => call.name === name) ?? [];
    const args =
      rich && 'schema' in ((inputSchema.properties as object) ?? {}) ? { schema: rich.inputSchema } : null;
    if (given.length > 0) for (const call of given) await useTool(name, call.arguments);
    else await useTool(name, args ?? example(inputSchema));
  }
  const { resources } = await mcp.resources(serverId);
  for (const { uri } of resources) await mcp.readResource(serverId, uri);
  for (const { name } of await mcp.prompts(serverId)) await mcp.getPrompt(serverId, name, {});
}

const [serverId = ''] = await mcp.useVault(null).then(() => mcp.servers.get().servers.map(({ id }) => id));
void answerQuestions();
try {
  await useAll();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  life.abort();
  await mcp.close();
  await programs.close();
}
process.exit();
