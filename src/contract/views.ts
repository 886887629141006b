import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { NotePath, ServerId } from './ids';
import { CallArguments } from './json';
import { PromptEntry, ResourceContent, ResourceList } from './mcp';
import { serverErrors, viewErrors } from './operation-errors';
import { CallOutcome } from './tools';

/** A page that a server brings for the results of a tool, ready to be put into a frame of its own. */
export const OpenView = z.object({
  viewId: z.string(),
  /** First part of the name of the frame's own origin; the same for all views of one server. */
  origin: z.string(),
  serverName: z.string(),
  title: z.string(),
  /** The result of the call that it was opened for, whole; null where only the note has it. */
  outcome: CallOutcome.nullable(),
  /** Places outside that the view may talk to or load from, as its server asked for. */
  reaches: z.array(z.string()),
});
export type OpenView = z.infer<typeof OpenView>;

const inView = z.object({ viewId: z.string().max(64) });

export const viewsOperations = {
  /** Reads the tool's view from its server. Its address and its rights hold as long as this is followed. */
  'views.open': state(
    z.object({
      serverId: ServerId,
      tool: z.string().max(256),
      path: NotePath.nullable(),
      /** The call, as its note tells it. */
      call: z.object({ arguments: CallArguments, at: z.number() }).nullable(),
    }),
    OpenView,
    [...serverErrors, 'tool.unknown', 'view.gone', 'view.refused'],
  ),
  /** A call that a view makes: only tools of its own server, through the same checks and approvals as a model's. */
  'views.call': call(
    inView.extend({ tool: z.string().max(256), arguments: CallArguments }),
    CallOutcome,
    viewErrors,
  ),
  'views.read': call(inView.extend({ uri: z.string().max(4096) }), z.array(ResourceContent), viewErrors),
  /** What the view's own server offers besides tools. */
  'views.resources': call(inView, ResourceList, viewErrors),
  'views.prompts': call(inView, z.array(PromptEntry), viewErrors),
  /** What goes with the next questions of the note while the view is open; empty: nothing. */
  'views.tell': call(inView.extend({ text: z.string().max(32_000) }), z.void(), [
    'view.gone',
    'view.refused',
  ]),
} as const;
