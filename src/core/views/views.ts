import type { PromptEntry, ResourceContent, ResourceList } from '../../contract/mcp';
import type { CallOutcome } from '../../contract/tools';
import type { OpenView } from '../../contract/views';
import type { Inert } from '../foundation';

/** A view as a host serves it to the frame. */
export interface ViewPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a view said for the next question. */
export interface ViewWords {
  readonly serverName: Inert;
  readonly tool: Inert;
  readonly text: Inert;
}

/** Pages that servers bring for the results of their tools. Each has an address and rights only while it is open. */
export interface Views {
  /** Throws `view.gone` where the tool has no view, and what reading it from its server can throw. */
  open(
    what: {
      serverId: string;
      tool: string;
      path: string | null;
      /** The call that is shown; `at` to the second. */
      call: { arguments: Readonly<Record<string, unknown>>; at: number } | null;
    },
    signal: AbortSignal,
  ): AsyncIterable<OpenView>;
  /** Throws `view.gone`, and `view.refused` where too much is asked for at once. */
  call(
    viewId: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallOutcome>;
  /** A resource of the view's own server. */
  read(viewId: string, uri: string, signal: AbortSignal): Promise<ResourceContent[]>;
  /** What the view's own server offers. */
  resources(viewId: string, signal: AbortSignal): Promise<ResourceList>;
  prompts(viewId: string, signal: AbortSignal): Promise<PromptEntry[]>;
  tell(viewId: string, text: string): void;
  /** What the open views of a note said. */
  words(path: string): readonly ViewWords[];
  /**
   * The page behind `<origin>/<id>`; null where no view is open there. `framedBy`: origins of our own page, as sources
   * of a policy.
   */
  page(origin: string, id: string, framedBy: string): ViewPage | null;
  close(): void;
}
