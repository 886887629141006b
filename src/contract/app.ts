import './no-eval';
import * as z from 'zod';
import { NoteAsk } from './chat';
import { call, state } from './define';
import { NotePath, ServerId } from './ids';
import { RecoveryReason } from './recovery';
import { ServerReason } from './server-reasons';

/** What the host that carries the core can do for a screen. */
export const HostInfo = z.object({
  kind: z.enum(['electron', 'node']),
  version: z.string(),
  platform: z.string(),
  canPickFolder: z.boolean(),
  /** Where keys are kept; `file` comes with a plain warning. */
  secretStore: z.enum(['system', 'file', 'memory']),
});
export type HostInfo = z.infer<typeof HostInfo>;

/** Something that happened without anybody asking: facts, which the screen puts into the person's language. */
export const NoticeFacts = z.discriminatedUnion('code', [
  /** A file of the app's data could not be taken as it is; its part of the app goes on without it. */
  z.object({
    code: z.literal('damaged'),
    what: z.enum(['settings', 'trust', 'history', 'journal', 'secrets', 'versions']),
    file: z.string(),
    state: z.enum(['damaged', 'newer', 'busy', 'full', 'read-only', 'no-permission']),
    /** In the words of whoever could not read it; empty where nothing is known. */
    reason: z.string(),
    /** The old file's new place; null where it stayed. */
    keptAs: z.string().nullable(),
    /** Entries that were lost, by name; the others are there. */
    lost: z.array(z.string()),
  }),
  z.object({
    code: z.literal('hooks-file'),
    problems: z.array(z.object({ line: z.number().int(), message: z.string() })),
  }),
  /** Text that is not in its note, or not as it was; `keptAs`: the file that it is in now. */
  z.object({ code: z.literal('text-kept'), note: NotePath, reason: RecoveryReason, keptAs: z.string() }),
  /** So many texts of conflicts, the oldest, were removed to make room. */
  z.object({ code: z.literal('conflicts-dropped'), count: z.number().int() }),
  /** What is typed can't be kept from a crash until it is saved. */
  z.object({ code: z.literal('no-journals'), reason: z.string() }),
  /** What became of the app's data folder while it ran; over as soon as it can be written again, but for `gone`. */
  z.object({
    code: z.literal('data-folder'),
    state: z.enum(['gone', 'read-only', 'full', 'no-permission', 'busy']),
    folder: z.string(),
    reason: z.string(),
  }),
  z.object({ code: z.literal('hook-failed'), hook: z.string(), reason: z.string() }),
  /** It failed too often in a row and is not started again by itself; gone as soon as it is on again. */
  z.object({
    code: z.literal('server-given-up'),
    serverId: ServerId,
    server: z.string(),
    reason: ServerReason,
  }),
  /** A call that went on while the app was closed. Its result stands in `note`, else in `text`. */
  z.object({
    code: z.literal('call-ended'),
    server: z.string(),
    tool: z.string(),
    ok: z.boolean(),
    note: NotePath.nullable(),
    text: z.string(),
  }),
  /** A call that was to be made once more was not; its older result stands in the note as it was. */
  z.object({
    code: z.literal('not-run-again'),
    note: NotePath,
    server: z.string(),
    tool: z.string(),
    reason: z.string(),
  }),
  /** A note's front matter wants more than is in force, by another hand than the person's, who has not agreed to it. */
  NoteAsk.extend({ code: z.literal('note-wants'), note: NotePath }),
  /** A failed answer that was to be tried again is not; `null`: its time went by long ago, with the app closed. */
  z.object({ code: z.literal('not-retried'), note: NotePath, reason: z.string().nullable() }),
  /** Words that a field may not hold were there before the person set it; `said` tells of each where it is now. */
  z.object({ code: z.literal('words-kept'), note: NotePath, entity: z.string(), said: z.array(z.string()) }),
  /** What was changed with the name of a server, and notes that still have the old one. */
  z.object({
    code: z.literal('server-renamed'),
    from: z.string(),
    to: z.string(),
    hooks: z.array(z.string()),
    agents: z.array(z.string()),
    notes: z.array(NotePath),
  }),
  /** Something inside failed that nobody caught; the log says what. */
  /** Saving put a new file in its place; so many hard links to it, outside the vault, go on with the old text. */
  z.object({ code: z.literal('hard-links'), note: NotePath, links: z.number().int() }),
  z.object({ code: z.literal('fault') }),
]);
export type NoticeFacts = z.infer<typeof NoticeFacts>;

/** Shown until dismissed. */
export const Notice = z.object({ id: z.string(), at: z.number(), facts: NoticeFacts });
export type Notice = z.infer<typeof Notice>;

export const appOperations = {
  'app.info': call(z.object({}), HostInfo),
  /** Opens http, https and mailto addresses in the person's own browser; anything else is refused. */
  'app.openExternal': call(z.object({ url: z.string().max(8192) }), z.void(), ['host.unsupported']),
  /** The chosen folder's absolute path, or null if the person changed their mind. */
  'app.pickFolder': call(z.object({}), z.string().nullable(), ['host.unsupported']),
  'app.notices': state(z.object({}), z.array(Notice)),
  'app.dismissNotice': call(z.object({ id: z.string() }), z.void()),
} as const;
