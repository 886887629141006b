import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BroughtThing } from '../settings';

export const hookEvents = [
  'note-opened',
  'before-answer',
  'after-answer',
  'before-tool-call',
  'after-tool-call',
  'saved',
  'schedule',
] as const;
export type HookEvent = (typeof hookEvents)[number];

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const Hook = z.strictObject({
  name: z.string().min(1),
  on: z.enum(hookEvents),
  enabled: z.boolean().default(true),
  /** Glob of the notes it is for. */
  note: z.string().optional(),
  /** Glob of `server/tool`, for the events of tool calls. */
  tool: z.string().optional(),
  /** `30m`, `2h`, `1d`: for the schedule. */
  every: z
    .string()
    .regex(/^\d+[mhd]$/)
    .transform((text) => Number.parseInt(text, 10) * units[text.slice(-1) as keyof typeof units])
    .optional(),
  run: z.union([
    z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
    z.strictObject({ prompt: z.string() }),
    z.strictObject({ agent: z.string() }),
  ]),
  /** The note that a schedule works on. */
  in: z.string().optional(),
});
export type Hook = z.infer<typeof Hook>;

const HookFile = z.strictObject({ hooks: z.array(Hook) });

interface HookList {
  readonly hooks: Hook[];
  readonly problem: string | null;
}

/** The hooks of a vault as they stand on disk now; `problem` where the file can't be used. */
export async function readHooks(root: string): Promise<HookList> {
  let text: string;
  try {
    text = await readFile(join(root, '.interlinear', 'hooks.json'), 'utf8');
  } catch {
    return { hooks: [], problem: null };
  }
  return parseHooks(text);
}

/** What the hooks of a file would do and when. */
export function broughtHooks(text: string): BroughtThing[] {
  return parseHooks(text).hooks.map(broughtHook);
}

export function broughtHook({ enabled: _, ...hook }: Hook): BroughtThing {
  const { name, on, note, tool, every, run, in: place } = hook;
  const when = [on, every && `every ${every / 60_000} min`, note, tool].filter(Boolean).join(' · ');
  const what =
    'tool' in run
      ? `tool: ${run.tool} ${JSON.stringify(run.arguments)}`
      : 'prompt' in run
        ? `prompt: ${run.prompt}`
        : `agent: ${run.agent}`;
  const lines = [`on: ${when}`, what, ...(place === undefined ? [] : [`in: ${place}`])];
  return { kind: 'hook', name, lines, fingerprint: JSON.stringify(['hook', name, lines]) };
}

function parseHooks(text: string): HookList {
  try {
    const { hooks } = HookFile.parse(JSON.parse(text));
    return { hooks: hooks.filter(({ enabled }) => enabled), problem: null };
  } catch (error) {
    const problem =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
        : String(error);
    return { hooks: [], problem };
  }
}
