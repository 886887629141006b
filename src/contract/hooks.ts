import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { NotePath } from './ids';
import { CallArguments } from './json';
import { callErrors, hookErrors, noteErrors } from './operation-errors';

export const HookEvent = z.enum([
  'note-opened',
  'saved',
  'before-answer',
  'after-answer',
  'before-tool-call',
  'after-tool-call',
  'schedule',
]);
export type HookEvent = z.infer<typeof HookEvent>;

export const HookAction = z.union([
  z.strictObject({
    /** `server/tool`. */
    tool: z.string().min(1),
    /** Texts may hold `{{vault}}`, `{{date}}` and `{{note}}`. */
    arguments: CallArguments.optional(),
  }),
  z.strictObject({ prompt: z.string().min(1) }),
  z.strictObject({ agent: z.string().min(1) }),
]);
export type HookAction = z.infer<typeof HookAction>;

/** What is longer no reader of globs takes. */
const Glob = z.string().max(500);

/** One entry of a vault's `.interlinear/hooks.json`, as it is written there. */
export const Hook = z.strictObject({
  name: z.string().trim().min(1),
  on: HookEvent,
  enabled: z.boolean().optional(),
  /** Glob of the notes it is for. */
  note: Glob.optional(),
  /** Glob of `server/tool`, for the events of tool calls. */
  tool: Glob.optional(),
  /** `30m`, `2h`, `1d`: for the schedule. */
  every: z
    .string()
    .regex(/^[1-9]\d{0,4}[mhd]$/, 'A number of minutes, hours or days, such as “30m”, “2h” or “1d”.')
    .optional(),
  /** The note that it works on, instead of the one where something happened. */
  in: z.string().optional(),
  run: HookAction,
});
export type Hook = z.infer<typeof Hook>;

export const HookRun = z.object({
  at: z.number(),
  /** `null`: run by hand. */
  event: HookEvent.nullable(),
  path: z.string().nullable(),
  ms: z.number(),
  outcome: z.enum(['running', 'ok', 'failed', 'stopped']),
  /** Why it failed; else empty. */
  detail: z.string(),
});
export type HookRun = z.infer<typeof HookRun>;

export const HookEntry = Hook.extend({
  /** As it stands now; one that somebody else wrote or changed waits until the person agrees. */
  agreed: z.boolean(),
  lastRun: HookRun.nullable(),
});
export type HookEntry = z.infer<typeof HookEntry>;

export const HookProblem = z.object({
  message: z.string(),
  /** From 1. */
  line: z.number().int(),
});
export type HookProblem = z.infer<typeof HookProblem>;

export const HookList = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no-vault') }),
  /** What cannot be used of the file stands in `problems`; the rest works. */
  z.object({
    kind: z.literal('listed'),
    trusted: z.boolean(),
    hooks: z.array(HookEntry),
    problems: z.array(HookProblem),
  }),
]);
export type HookList = z.infer<typeof HookList>;

export const hooksOperations = {
  'hooks.list': state(z.object({}), HookList),
  /** Adds it, or puts it in the place of `replaces`. Whatever else stands in the file stays as it is written. */
  'hooks.save': call(
    z.object({
      hook: Hook,
      replaces: z.string().nullable(),
      /** What `replaces` was; `settings.changed` where it is something else by now. */
      seen: Hook.optional(),
    }),
    z.void(),
    hookErrors,
  ),
  /** `hook` as it was shown; `settings.changed` where another one would be switched on by now. */
  'hooks.setEnabled': call(z.object({ hook: Hook, enabled: z.boolean() }), z.void(), hookErrors),
  'hooks.remove': call(z.object({ name: z.string() }), z.void(), hookErrors),
  /**
   * At once, whether it is enabled or not; `path` is the note that it works on where it names none itself. `hook` as it was
   * shown: another one is not run (`settings.changed`).
   */
  'hooks.run': call(z.object({ hook: Hook, path: NotePath.nullable() }), HookRun, [
    ...noteErrors,
    ...callErrors,
    'vault.untrusted',
    'settings.changed',
  ]),
} as const;
