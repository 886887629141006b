import type { ProviderConfig } from '../../../contract/providers';
import type { ModelEvent } from '../../providers';
import type { Unattended } from '../../tools';

export interface RunRequest {
  readonly path: string;
  readonly at: number;
  readonly version: number;
  readonly tag?: string;
  readonly model?: string;
  /** From the command line: this provider instead of a configured one. */
  readonly provider?: { readonly config: ProviderConfig; readonly key: string | null };
  /** The vault’s template that a hook asks by. */
  readonly prompt?: string;
  readonly agent?: string;
  /** Globs; `[]` offers no tools. */
  readonly tools?: readonly string[];
  readonly rounds?: number;
  /** Who asks for it, for the history of its calls; left out: a person does. */
  readonly by?: 'hook';
  /** The conversation was too long so many times: the oldest of it is left out. */
  readonly trim?: number;
  /** The answer at `at` makes place for the new one. */
  readonly replace?: boolean;
  /** A second answer below the one at `at`, which it does not know. */
  readonly beside?: boolean;
  /** The answer whose failure stands at `at` once more, whatever the person wrote below that. */
  readonly again?: boolean;
  /** The line break that ends the note was put there for the answer's sake, and goes when it comes. */
  readonly room?: boolean;
  /** With this nobody is asked: tools that match run, others are denied. */
  readonly unattended?: Unattended;
  /** Sees what the model is asked without, everything that it says and every tool result, as it comes. */
  readonly onEvent?: (event: RunEvent) => void;
}

export type RunEvent =
  | ModelEvent
  | { readonly kind: 'notice'; readonly text: string }
  | {
      readonly kind: 'tool-result';
      readonly id: string;
      readonly name: string;
      readonly status: string;
      readonly text: string;
    };
