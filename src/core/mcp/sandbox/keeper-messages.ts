import type { NoSandbox } from '../../../contract/sandbox';

/** What is to be started, and what it may touch. Paths are absolute. */
export interface WrapRequest {
  /** Secret to the server: what it says to the proxy counts as said by whoever knows it. */
  readonly key: string;
  /** For a POSIX shell. */
  readonly script: string;
  readonly closed: readonly string[];
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly unwritable: readonly string[];
  /** Folders that are there, though empty, while it runs: nothing else can be put in their place then. */
  readonly held: readonly string[];
  readonly hosts: readonly string[];
}

export type ToKeeper =
  | { readonly kind: 'wrap'; readonly id: number; readonly request: WrapRequest }
  /** The program of this key has ended. */
  | { readonly kind: 'release'; readonly key: string };

export type FromKeeper =
  | { readonly kind: 'ready'; readonly trouble: NoSandbox | null }
  | { readonly kind: 'wrapped'; readonly id: number; readonly script: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'denied'; readonly key: string; readonly host: string };
