import {
  Client,
  type ConnectOptions,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { jsonFault } from '../../../contract/json';
import { iconOf } from '../features/icons';
import { questionExcess } from '../fence/checked-sizes';
import { putFence } from '../fence/fence';
import { foreignWords, longestWords } from '../fence/foreign-words';
import { ProgramError } from '../fence/program-error';
import { createTaskFilter } from '../tasks/task-state';
import type { Connection, ConnectionEvents, ConnectParts } from './connection';
import { faultOf } from './failures';
import { createListing } from './listing';
import { createLogLevel } from './log-level';
import { listenForChanges, passNotifications } from './notifications';
import { createOtherRequests } from './other-requests';
import { createPing } from './ping';
import { answerRequests, capabilitiesFor } from './server-requests';
import type { Session } from './session';
import { createToolCalls, type TaskFollowers } from './tool-calls';

/**
 * Shakes hands over a transport; on failure the transport is closed before this rejects.
 * Long, since what must stand before the handshake, what comes of it and what ends it are one order of steps.
 */
export async function connect(parts: ConnectParts): Promise<Connection> {
  const { serverId, transport, events, requests } = parts;
  const rootsNow = async () => JSON.stringify(await requests.roots?.());
  let toldRoots = await rootsNow();
  const client = new Client(
    { name: 'interlinear', version: parts.appVersion },
    {
      capabilities: capabilitiesFor(requests),
      versionNegotiation: { mode: parts.mode, probe: { timeoutMs: parts.probeMs } },
    },
  );
  let fatal: Error | null = null;
  let closing = false;
  const over = new AbortController();

  const followers: TaskFollowers = new Map();
  const filterTasks = createTaskFilter((taskId, progress) => followers.get(taskId)?.(progress));
  const fence = putFence(transport, {
    hiding: parts.hiding,
    intercept: (message) => (isRefused(message, transport, events) ? null : filterTasks(message)),
    onLeftOut: (text) => events.onLog(text, null),
  });
  let questions = 0;
  answerRequests(client, requests, () => questions++);
  passNotifications(client, events);
  client.onerror = (error) => {
    if (error instanceof ProgramError) fatal ??= error;
  };

  const options: ConnectOptions = { timeout: parts.timeoutMs };
  try {
    await client.connect(transport, options);
  } catch (error) {
    await transport.close();
    throw fatal ?? error;
  }
  client.onclose = () => {
    over.abort();
    if (!closing) events.onClosed(fatal === null ? { code: 'ended' } : faultOf(fatal));
  };

  const era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
  const info = client.getServerVersion();
  const icon = iconOf(info?.icons);
  const offers = client.getServerCapabilities() ?? {};
  const logLevel = createLogLevel({ client, era, offers }, parts.logLevel);
  if (era === 'modern')
    void listenForChanges(client, offers, { events, over: over.signal, isClosing: () => closing });
  else void logLevel.tell().catch(() => undefined);

  const session: Session = {
    serverId,
    client,
    era,
    offers,
    requests,
    checkOutput: parts.checkOutput,
    meta: logLevel.meta,
    fatal: () => fatal,
    isAsking: parts.isAsking,
  };

  return {
    server: {
      name: foreignWords(info?.title ?? info?.name ?? '', longestWords.line),
      version: foreignWords(info?.version ?? '', longestWords.line),
      era,
      ...(icon !== null && { icon }),
    },
    instructions: foreignWords(client.getInstructions() ?? '', longestWords.instructions),
    pid: 'pid' in transport && typeof transport.pid === 'number' ? transport.pid : null,
    announces: {
      tools: offers.tools?.listChanged === true,
      resources: offers.resources?.listChanged === true,
      prompts: offers.prompts?.listChanged === true,
    },
    ...createListing(session),
    ...createToolCalls(session, { followers, onToolsChanged: () => events.onToolsChanged() }),
    setLogLevel: logLevel.set,
    ...createOtherRequests(session, () => questions),
    ping: createPing(session, fence.lastHeard),
    async rootsChanged() {
      // In the newer era a server asks whenever it needs them.
      if (era === 'modern' || !requests.roots) return;
      const roots = await rootsNow();
      if (roots === toldRoots) return;
      toldRoots = roots;
      await client.sendRootsListChanged().catch(() => undefined);
    },
    async close() {
      closing = true;
      over.abort();
      await client.close();
    },
  };
}

/** A question that holds what no JSON can, or more than is looked at, is nobody's. */
function isRefused(
  message: JSONRPCMessage,
  transport: Pick<Transport, 'send'>,
  events: Pick<ConnectionEvents, 'onLog'>,
): boolean {
  if (!('method' in message) || !('id' in message)) return false;
  const excess = questionExcess(message.method, message.params);
  const fault = excess === null ? jsonFault(message.params ?? null) : excessWords(excess);
  if (fault === null) return false;
  events.onLog(`Its question “${message.method.slice(0, 100)}” was refused: it ${fault}.`, null);
  const error = { code: ProtocolErrorCode.InvalidParams, message: `The question ${fault}.` };
  void transport.send({ jsonrpc: '2.0', id: message.id, error }).catch(() => undefined);
  return true;
}

const excessWords = ({ most, ...excess }: NonNullable<ReturnType<typeof questionExcess>>) =>
  'what' in excess
    ? `has more than ${most.toLocaleString('en')} “${excess.what}”`
    : `has more than ${most.toLocaleString('en')} values`;
