import type { Clock, Log } from '../../foundation';
import type { Mcp } from '../../mcp';
import type { SettingsStore } from '../../settings';
import type { Accounts } from '../policy/accounts';
import type { Consent } from '../policy/consent';
import type { Limits } from '../policy/limits';
import type { CheckArguments } from '../request/arguments';
import type { LeftTask } from '../tasks/tasks';
import { announced, type BeforeCall } from './announced';
import { approved } from './approved';
import { cached, cachedByChoice, createLookUp } from './cached';
import { createServerCall } from './call-server';
import { counted } from './counted';
import { limited } from './limited';
import type { Call } from './ongoing-call';
import { renewed } from './renewed';
import { type Execute, settled } from './settled';
import { toServer } from './to-server';
import { type Resolve, validated } from './validated';

/** The one way that every call takes: put together from its end, so read it upwards. */
export function createExecutor({
  mcp,
  settings,
  consent,
  limits,
  accounts,
  clock,
  log,
  onTask,
  resolve,
  checkArguments,
  before,
}: {
  mcp: Pick<Mcp, 'call' | 'ready'>;
  settings: SettingsStore;
  consent: Omit<Consent, 'throwIfDenied'>;
  limits: Limits;
  accounts: Pick<Accounts, 'since'>;
  clock: Clock;
  log: Log;
  onTask(task: LeftTask): Promise<void>;
  resolve: Resolve;
  checkArguments: CheckArguments;
  before: BeforeCall | undefined;
}): Execute {
  const generalTimeout = () => settings.current.get().tools.timeout;
  const callServer = createServerCall({ mcp, generalTimeout, clock, log });
  const lookUp = createLookUp({ settings, accounts, clock });

  const place = limited(toServer({ callServer, settings, clock, onTask }), limits);
  const send: Call = renewed(place, (call, signal) => agreeAnew(call, signal));
  const agreeAnew = validated(approved(send, consent), resolve, checkArguments);

  const announce = announced(send, before);
  const count = counted(announce, consent);
  const choose = cachedByChoice(count, lookUp, consent);
  const approve = approved(choose, consent);
  const answer = cached(approve, lookUp, consent);
  return settled(validated(answer, resolve, checkArguments), { clock, log });
}
