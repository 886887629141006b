import { AppError, isAppError } from '../../../contract/errors';
import type { CallOutcome } from '../../../contract/tools';
import { type Clock, cancelled, childSignal, isLeaving, type Log } from '../../foundation';
import { bundledId, type CatalogTool, type Mcp } from '../../mcp';
import type { SettingsDoor } from '../../settings';
import type { Accounts } from '../policy/accounts';
import type { CallUnderWay, Consent } from '../policy/consent';
import type { Limits } from '../policy/limits';
import { type Arguments, asSent, throwUnlessValid } from '../request/arguments';
import { denied, leftText, statusOf } from '../request/failures';
import type { CallStep, EarlierResult, ToolCallRequest } from '../request/request';
import { type LeftTask, leftTask } from '../tasks/tasks';
import { type AllowedCall, allowedCall } from './announced';
import { cacheVerdict } from './cache';
import { createServerCall } from './call-server';
import { resultParts, textBytes } from './results';

export interface Executed {
  readonly outcome: CallOutcome;
  readonly tool: CatalogTool | null;
  readonly arguments: Arguments;
  /** How it came to be allowed, or by what it was not. */
  readonly approval: string;
  /** Why the person would not have it, in their words. */
  readonly refusal?: string;
}

/** Made once: a new error with its stack would be a tenth of a call's time. */
const over = new Error('The call is over.');

/** Validate, policy, approval, cache, limits, the server: the one way that every call takes. */
export function createExecutor(parts: {
  mcp: Pick<Mcp, 'call' | 'ready'>;
  settings: SettingsDoor;
  consent: Consent;
  limits: Limits;
  accounts: Accounts;
  clock: Clock;
  log: Log;
  /** The server goes on with it by itself; kept when it returns. */
  onTask(task: LeftTask): Promise<void>;
  /** Starts the server where need be. Throws `tool.unknown`. */
  resolve(request: ToolCallRequest, signal: AbortSignal): Promise<CatalogTool>;
  before: ((call: AllowedCall, signal: AbortSignal) => Promise<void>) | undefined;
}): (request: ToolCallRequest, signal: AbortSignal, onStep: (step: CallStep) => void) => Promise<Executed> {
  const { mcp, settings, consent, limits, accounts, clock, log } = parts;
  const callServer = createServerCall({
    mcp,
    generalTimeout: () => settings.current.get().tools.timeout,
    clock,
    log,
  });

  function reuse(call: CallUnderWay, args: Arguments) {
    const { request, tool } = call;
    return cacheVerdict(
      {
        serverName: tool.serverName,
        tool: tool.name,
        arguments: args,
        definition: tool.definition,
        readOnly: tool.annotations.readOnly === true,
        since: accounts.since(tool.serverName, tool.account),
        readsNotes: tool.serverId === bundledId,
      },
      request.earlier,
      settings.current.get().tools,
      clock.now(),
    );
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
          async onTask(task) {
            await parts.onTask(leftTask(request, made, task));
            isTask = true;
            // It may take days: others must not wait for it.
            leave();
            onStep({ kind: 'task' });
          },
        });
        const shaped = await resultParts(result);
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
      const call: CallUnderWay = { request, tool, signal, onStep, onEdited };
      throwUnlessValid(tool, args);

      const known = reuse(call, args);
      if (known.kind === 'reuse' && !consent.isDenied(request, tool)) {
        approval = 'cached';
        return again(known.earlier);
      }
      ({ tool, arguments: args, approval } = await consent.approve(call, args));
      const approved = { ...call, tool };
      const afterEdit = reuse(approved, args);
      if (afterEdit.kind === 'ask' && !request.unattended) {
        const decision = await consent.ask(approved, args, { kind: 'cached', ageMs: afterEdit.ageMs });
        if (decision.kind === 'deny') throw denied(tool.name, 'person', decision.reason);
        if (decision.kind === 'use-cached') {
          approval = 'cached';
          return again(afterEdit.earlier);
        }
      }
      await consent.count(approved, args);

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
        throwUnlessValid(tool, args);
        const anew = { ...call, tool, request: { ...request, pressed: false } };
        ({ tool, arguments: args, approval } = await consent.approve(anew, args, seen));
      }
    } catch (error) {
      if (isTask && isLeaving(callerSignal))
        return outcome({ status: 'interrupted', parts: [{ kind: 'text', text: leftText }] });
      const failure = callerSignal.aborted ? cancelled() : error;
      const { status, message } = statusOf(failure);
      if (!(error instanceof AppError)) log.error('tool call failed', { tool: request.tool, error });
      const failed = outcome({
        ...{ status, parts: [{ kind: 'text', text: message }] },
        ...(isAppError(failure, 'tool.invalid-arguments') && { badArguments: true }),
      });
      if (!isAppError(failure, 'tool.denied')) return failed;
      const { by, reason } = failure.details;
      return { ...failed, approval: by, ...(by === 'person' && { refusal: reason }) };
    } finally {
      life.release();
      life.abort(over);
    }
  };
}
