import { onTestFinished } from 'vitest';
import { type Behaviour, type SignInService, startSignInService } from '../support/sign-in-service';

export type { Behaviour, SignInService };

/** Gone with the test. */
export async function signInService(behave: Behaviour = {}): Promise<SignInService> {
  const service = await startSignInService(behave);
  onTestFinished(service.close);
  return service;
}
