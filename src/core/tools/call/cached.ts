import type { Clock } from '../../foundation';
import { bundledId } from '../../mcp';
import type { SettingsStore } from '../../settings';
import type { Accounts } from '../policy/accounts';
import type { Consent } from '../policy/consent';
import { denied } from '../request/failures';
import type { EarlierResult } from '../request/request';
import { type CacheVerdict, cacheVerdict } from './cache';
import { type Call, consentCall, outcomeOf, type ResolvedCall } from './ongoing-call';

export type LookUp = (call: ResolvedCall) => CacheVerdict;

export const createLookUp =
  ({
    settings,
    accounts,
    clock,
  }: {
    settings: SettingsStore;
    accounts: Pick<Accounts, 'since'>;
    clock: Pick<Clock, 'now'>;
  }): LookUp =>
  ({ request, tool, arguments: args }) =>
    cacheVerdict(
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

function reuse(call: ResolvedCall, { outcome, at }: EarlierResult) {
  call.progress.approval = 'cached';
  return outcomeOf(call, 0, { ...outcome, callId: call.request.callId, at, ms: 0, cached: true });
}

/** An equal result in the note is the answer where the settings say so; not of a tool that may not be called. */
export const cached =
  (inner: Call, lookUp: LookUp, consent: Pick<Consent, 'isDenied'>): Call =>
  async (call, signal) => {
    const verdict = lookUp(call);
    if (verdict.kind === 'reuse' && !consent.isDenied(call.request, call.tool))
      return reuse(call, verdict.earlier);
    return inner(call, signal);
  };

/** Where the settings leave it to the person, they choose between an equal result in the note and a new one. */
export const cachedByChoice =
  (inner: Call, lookUp: LookUp, consent: Pick<Consent, 'ask'>): Call =>
  async (call, signal) => {
    const verdict = lookUp(call);
    if (verdict.kind === 'ask' && !call.request.unattended) {
      const why = { kind: 'cached', ageMs: verdict.ageMs } as const;
      const decision = await consent.ask(consentCall(call, signal), call.arguments, why);
      if (decision.kind === 'deny') throw denied(call.tool.name, 'person', decision.reason);
      if (decision.kind === 'use-cached') return reuse(call, verdict.earlier);
    }
    return inner(call, signal);
  };
