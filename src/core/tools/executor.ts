import { AppError, isAppError } from '../../contract/errors';
import { argumentsFault } from '../../contract/json';
import type { ApprovalAsked, CallOutcome, Decision } from '../../contract/tools';
import { type Clock, cancelled, childSignal, compileSchema, isLeaving, type Log } from '../foundation';
import type { CatalogTool, Mcp } from '../mcp';
import type { SettingsDoor } from '../settings';
import type { Accounts } from './accounts';
import type { Approvals } from './approvals';
import { cacheVerdict } from './cache';
import { createServerCall } from './call-server';
import { shownDefinition } from './catalog';
import type { AllowedCall, CallStep, EarlierResult, KnownNotes, ToolCallRequest } from './door';
import { denied, invalidArguments, leftText, statusOf } from './failures';
import type { Grants } from './grants';
import type { Limits } from './limits';
import { type Verdict, verdict } from './policy';
import { resultParts, textBytes } from './results';
import { type LeftTask, leftTask } from './tasks';

type Arguments = Readonly<Record<string, unknown>>;

/** One call under way: what was asked for, and the tool that it turned out to mean. */
interface UnderWay {
  readonly request: ToolCallRequest;
  readonly tool: CatalogTool;
  readonly signal: AbortSignal;
  readonly onStep: (step: CallStep) => void;
  /** What is tried from now on, also where it is then refused. */
  readonly onEdited: (args: Arguments) => void;
}

export interface Executed {
  readonly outcome: CallOutcome;
  readonly tool: CatalogTool | null;
  readonly arguments: Arguments;
  /** How it came to be allowed, or by what it was not. */
  readonly approval: string;
  /** Why the person would not have it, in their words. */
  readonly refusal?: string;
}

function allowedCall(
  { callId, runId, by, path }: ToolCallRequest,
  { serverName: server, name, annotations }: CatalogTool,
  args: Arguments,
): AllowedCall {
  const readOnly = annotations.readOnly === true;
  return { callId, runId, by, path, tool: `${server}/${name}`, server, name, arguments: args, readOnly };
}

const changedSince = (seen: CatalogTool, now: CatalogTool): ApprovalAsked['why'] => ({
  kind: 'changed',
  before: shownDefinition(seen),
  after: shownDefinition(now),
});

/** The one form in which arguments are checked, shown, kept and sent: what JSON makes of them. */
function asSent(tool: string, given: Arguments): Arguments {
  const fault = argumentsFault(given);
  if (fault !== null) throw invalidArguments(tool, [`their JSON ${fault}`]);
  return JSON.parse(JSON.stringify(given)) as Arguments;
}

/** Made once: a new error with its stack would be a tenth of a call's time. */
const over = new Error('The call is over.');

/** Validate, policy, approval, cache, limits, the server: the one way that every call takes. */
export function createExecutor(parts: {
  mcp: Pick<Mcp, 'call' | 'ready' | 'servers' | 'tools'>;
  settings: SettingsDoor;
  grants: Grants;
  identity: Pick<KnownNotes, 'at' | 'name'>;
  /** Of the vault that is open. */
  vaultName(): string | null;
  approvals: Approvals;
  limits: Limits;
  accounts: Accounts;
  clock: Clock;
  log: Log;
  /** The server goes on with it by itself; kept when it returns. */
  onTask(task: LeftTask): void;
  /** Starts the server where need be. Throws `tool.unknown`. */
  resolve(request: ToolCallRequest, signal: AbortSignal): Promise<CatalogTool>;
  before: ((call: AllowedCall, signal: AbortSignal) => Promise<void>) | undefined;
}): (request: ToolCallRequest, signal: AbortSignal, onStep: (step: CallStep) => void) => Promise<Executed> {
  const { mcp, settings, grants, identity, approvals, limits, accounts, clock, log } = parts;
  const callServer = createServerCall({
    mcp,
    generalTimeout: () => settings.current.get().tools.timeout,
    clock,
    log,
  });

  function validate(tool: CatalogTool, args: Arguments): void {
    const schema = compileSchema(tool.inputSchema);
    // What we cannot check, the server checks.
    const issues = schema.kind === 'usable' ? schema.check(args) : [];
    if (issues.length > 0) throw invalidArguments(tool.name, issues);
  }

  function judge(request: ToolCallRequest, tool: CatalogTool): Verdict {
    const general = settings.current.get().tools.approval;
    return verdict({
      tool: { ...tool, shown: shownDefinition(tool) },
      note: request.path === null ? null : identity.at(request.path),
      path: request.path,
      general: request.approval ?? general,
      grants: grants.list.get(),
      configured: tool.approval === 'allow' ? grants.configured(tool.serverId, tool.name) : null,
      unattended: request.unattended,
      paused: mcp.servers.get().paused,
    });
  }

  const ofServer = (tool: CatalogTool) =>
    mcp.tools.get().filter((other) => other.serverId === tool.serverId && other.origin === tool.origin);

  /** `listed`: the server's tools as they were when the person was asked; what came since is not agreed to. */
  function remember(
    request: ToolCallRequest,
    tool: CatalogTool,
    scope: 'note' | 'tool' | 'server',
    listed: readonly CatalogTool[],
  ): void {
    const covered = scope === 'server' ? listed : [tool];
    const isOfNote = scope === 'note' && request.path !== null;
    const note = isOfNote ? identity.name(request.path) : null;
    // It is not there any more: nothing can be said of it.
    if (isOfNote && note === null) return;
    const vaultName = isOfNote || tool.vault !== null ? parts.vaultName() : null;
    grants.add({
      note,
      vault: tool.vault,
      ...(vaultName !== null && { vaultName }),
      scope: scope === 'note' && !isOfNote ? 'tool' : scope,
      serverId: tool.serverId,
      serverName: tool.serverName,
      tool: scope === 'server' ? null : tool.name,
      path: isOfNote ? request.path : null,
      origin: tool.origin,
      pins: Object.fromEntries(
        covered.map((other) => [other.name, { definition: other.definition, shown: shownDefinition(other) }]),
      ),
    });
    if (tool.approval === 'allow' && scope !== 'note') pinConfigured(tool);
    approvals.settle();
  }

  function pinConfigured(tool: CatalogTool): void {
    grants.setConfigured(tool.serverId, tool.name, {
      origin: tool.origin,
      pin: { definition: tool.definition, shown: shownDefinition(tool) },
    });
  }

  async function ask(
    { request, tool, signal, onStep }: UnderWay,
    args: Arguments,
    why: ApprovalAsked['why'],
  ): Promise<Decision> {
    onStep({ kind: 'asked' });
    return approvals.ask(
      {
        callId: request.callId,
        runId: request.runId,
        path: request.path,
        by: request.by,
        serverId: tool.serverId,
        serverName: tool.serverName,
        tool: tool.name,
        title: tool.title,
        arguments: args as Parameters<Approvals['ask']>[0]['arguments'],
        annotations: tool.annotations,
        why,
      },
      signal,
      () => isSettled(request, tool, why),
    );
  }

  /** By what this call itself says: a yes to one note's call is none to another's. */
  function isSettled(request: ToolCallRequest, tool: CatalogTool, why: ApprovalAsked['why']): boolean {
    if (why.kind === 'call-limit') return request.path !== null && limits.counted(request.path) < why.calls;
    if (why.kind === 'cached') return false;
    const now = mcp.tools.get().find((other) => other.serverId === tool.serverId && other.name === tool.name);
    return now !== undefined && judge(request, now).kind === 'allow';
  }

  /**
   * The arguments to call with, perhaps edited, how they came to be allowed, and the tool that this was said of. `seen`: the
   * tool as the person allowed it, where it has become another one since.
   */
  async function approve(
    call: UnderWay,
    given: Arguments,
    seen: CatalogTool | null = null,
  ): Promise<{ tool: CatalogTool; arguments: Arguments; approval: string }> {
    const { request, tool } = call;
    const judged = judge(request, tool);
    switch (judged.kind) {
      case 'deny':
        throw denied(tool.name, judged.by, judged.reason);
      case 'allow':
        if (judged.by === 'configuration' && !grants.configured(tool.serverId, tool.name))
          pinConfigured(tool);
        return { tool, arguments: given, approval: judged.by };
      case 'ask': {
        const why = seen && judged.why.kind === 'policy' ? changedSince(seen, tool) : judged.why;
        if (request.pressed && why.kind === 'policy') return { tool, arguments: given, approval: 'once' };
        const listed = ofServer(tool);
        const decision = await ask(call, given, why);
        if (decision.kind === 'deny') throw denied(tool.name, 'person', decision.reason);
        const edited = decision.kind === 'allow' ? decision.arguments : undefined;
        const args = edited ? asSent(tool.name, edited) : given;
        if (edited) call.onEdited(args);
        const scope = decision.kind === 'allow' ? decision.remember : 'once';
        if (scope !== 'once') remember(request, tool, scope, listed);
        const now =
          mcp.tools.get().find(({ serverId, name }) => serverId === tool.serverId && name === tool.name) ??
          tool;
        if (args !== given || now !== tool) validate(now, args);
        // It has become another one while the question stood: the person has not seen what would be called.
        if (now.definition !== tool.definition || now.origin !== tool.origin)
          return approve({ ...call, tool: now }, args, tool);
        return { tool, arguments: args, approval: scope };
      }
    }
  }

  function reuse(call: UnderWay, args: Arguments) {
    const { request, tool } = call;
    return cacheVerdict(
      {
        serverName: tool.serverName,
        tool: tool.name,
        arguments: args,
        definition: tool.definition,
        readOnly: tool.annotations.readOnly === true,
        since: accounts.since(tool.serverName, tool.account),
      },
      request.earlier,
      settings.current.get().tools,
      clock.now(),
    );
  }

  async function countCall(call: UnderWay, args: Arguments): Promise<void> {
    const { request, tool } = call;
    const { path } = request;
    if (path === null) return;
    while (!limits.count(path)) {
      const calls = limits.counted(path);
      if (request.unattended)
        throw denied(tool.name, 'limit', `The note's limit of ${calls} calls is reached.`);
      const decision = await ask(call, args, { kind: 'call-limit', calls });
      if (decision.kind === 'deny') {
        throw denied(tool.name, 'limit', decision.reason || `The note's limit of ${calls} calls is reached.`);
      }
      // Asked by several calls at once: one yes is a new count for all of them.
      if (limits.counted(path) >= calls) limits.resetCount(path);
      approvals.settle();
      if (settings.current.get().tools.callsPerNote === 0) return;
    }
  }

  return async (given, callerSignal, onStep) => {
    const at = clock.now();
    let request = given;
    let tool: CatalogTool | null = null;
    let args: Arguments = {};
    let approval = 'none';
    /** When it went to its server; what is waited for before that is not the call's time. */
    let started: number | null = null;
    let isTask = false;
    // Ends what a call leaves behind, whichever way it went.
    const life = childSignal(callerSignal);
    const { signal } = life;

    const outcome = (facts: Pick<CallOutcome, 'status' | 'parts'> & Partial<CallOutcome>): Executed => ({
      outcome: {
        callId: request.callId,
        ms: started === null ? 0 : Math.max(0, clock.now() - started),
        at,
        cached: false,
        truncated: false,
        definition: tool?.definition ?? null,
        ...facts,
      },
      tool,
      arguments: args,
      approval,
    });
    const send = async (tool: CatalogTool): Promise<Executed> => {
      const leave = await limits.enter(tool.serverId, signal);
      try {
        onStep({ kind: 'running', arguments: args });
        started = clock.now();
        const made = { tool, arguments: args, approval };
        const result = await callServer(tool, args, signal, {
          onProgress: (progress) => onStep({ kind: 'progress', ...progress }),
          onTask(task) {
            parts.onTask(leftTask(request, made, task));
            isTask = true;
            // It may take days: others must not wait for it.
            leave();
            onStep({ kind: 'task' });
          },
        });
        const shaped = resultParts(result);
        return outcome({
          status: result.isError ? 'error' : 'ok',
          parts: shaped,
          truncated: textBytes(shaped) > settings.current.get().tools.resultLimit,
          ...(tool.viewUri !== undefined &&
            result.meta && { meta: result.meta as NonNullable<CallOutcome['meta']> }),
        });
      } finally {
        leave();
      }
    };
    const again = ({ outcome: before, at }: EarlierResult): Executed =>
      outcome({ ...before, callId: request.callId, at, ms: 0, cached: true });

    try {
      // Shown, checked and called is what it is now, whatever becomes of the caller's own object.
      args = asSent(given.tool, given.arguments);
      request = { ...given, arguments: args };
      tool = await parts.resolve(request, signal);
      const onEdited = (edited: Arguments) => {
        args = edited;
      };
      const call: UnderWay = { request, tool, signal, onStep, onEdited };
      validate(tool, args);

      const known = reuse(call, args);
      if (known.kind === 'reuse' && judge(request, tool).kind !== 'deny') {
        approval = 'cached';
        return again(known.earlier);
      }
      ({ tool, arguments: args, approval } = await approve(call, args));
      const approved = { ...call, tool };
      const afterEdit = reuse(approved, args);
      if (afterEdit.kind === 'ask' && !request.unattended) {
        const decision = await ask(approved, args, { kind: 'cached', ageMs: afterEdit.ageMs });
        if (decision.kind === 'deny') throw denied(tool.name, 'person', decision.reason);
        if (decision.kind === 'use-cached') {
          approval = 'cached';
          return again(afterEdit.earlier);
        }
      }
      await countCall(approved, args);

      await parts.before?.(allowedCall(request, tool, args), signal);

      for (;;) {
        try {
          return await send(tool);
        } catch (error) {
          if (!isAppError(error, 'tool.changed')) throw error;
        }
        // Its server has come up with another one since it was agreed to.
        const seen: CatalogTool = tool;
        tool = await parts.resolve(request, signal);
        validate(tool, args);
        const anew = { ...call, tool, request: { ...request, pressed: false } };
        ({ tool, arguments: args, approval } = await approve(anew, args, seen));
      }
    } catch (error) {
      if (isTask && isLeaving(callerSignal))
        return outcome({ status: 'interrupted', parts: [{ kind: 'text', text: leftText }] });
      const failure = callerSignal.aborted ? cancelled() : error;
      const { status, message } = statusOf(failure);
      if (!(error instanceof AppError)) log.error('tool call failed', { tool: request.tool, error });
      const failed = outcome({ status, parts: [{ kind: 'text', text: message }] });
      if (!isAppError(failure, 'tool.denied')) return failed;
      const { by, reason } = failure.details;
      return { ...failed, approval: by, ...(by === 'person' && { refusal: reason }) };
    } finally {
      life.release();
      life.abort(over);
    }
  };
}
