import { computeScopeUnion, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

/** What a server wants of a sign-in: its refusals say so. */
export interface Challenge {
  note(response: Response): void;
  /** Where it says who signs people in. */
  resourceMetadata(): URL | undefined;
  /** What new tokens have to allow. */
  scope(): string | undefined;
  /** What the last sign-in asked for. */
  askedScope(): string | undefined;
  /** A sign-in begins. What was `granted` before is asked for again, or it would be lost. */
  ask(granted: string | undefined): void;
  /** Nothing was asked for: the person has signed out. */
  forgetAsked(): void;
}

/** `configured`: the scope that the server's entry names. */
export function createChallenge(configured: string | undefined): Challenge {
  let last: { resourceMetadata: URL | undefined; scope: string | undefined } | null = null;
  let askedScope: string | undefined;
  return {
    note(response) {
      if (response.status !== 401 && response.status !== 403) return;
      const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
      if (response.status === 403 && error !== 'insufficient_scope') return;
      last = {
        resourceMetadata: resourceMetadataUrl ?? last?.resourceMetadata,
        scope: computeScopeUnion(response.status === 403 ? last?.scope : undefined, scope),
      };
    },
    resourceMetadata: () => last?.resourceMetadata,
    scope: () => computeScopeUnion(askedScope, last?.scope, configured),
    askedScope: () => askedScope,
    ask(granted) {
      askedScope = computeScopeUnion(askedScope, granted, last?.scope, configured);
    },
    forgetAsked() {
      askedScope = undefined;
    },
  };
}
