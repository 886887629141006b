import type { Clock, Log, Observable } from '../../foundation';
import type { Challenge } from './challenge';
import type { ProviderParts } from './client';
import type { SignInService } from './sign-in-service';

export interface SignInState {
  readonly signedIn: boolean;
  /** Another one after each sign-in, of whomever; null: nobody, or nobody is known yet. */
  readonly account: string | null;
  /** What a person is to open, with the code to type where there is one; null: nothing is under way. */
  readonly underWay: { readonly url: string; readonly code: string | null } | null;
}

/** What signing in, the token that goes out and its renewal share at one server. */
export interface SignInContext {
  readonly serverId: string;
  readonly server: URL;
  readonly client: Pick<ProviderParts, 'config' | 'serverId' | 'store' | 'credentials' | 'proofs'>;
  readonly challenge: Challenge;
  readonly service: SignInService;
  readonly state: Observable<SignInState>;
  show(change: Partial<SignInState>): void;
  readonly clock: Clock;
  readonly log: Log;
}
