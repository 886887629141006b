import type { Hook } from '../../contract/hooks';
import type { BroughtThing } from '../trust';
import { readHookText } from './hook-text';

/** What the hooks of a file would do and when. */
export function broughtHooks(text: string): BroughtThing[] {
  return readHookText(text)
    .hooks.filter(({ enabled }) => enabled !== false)
    .map(broughtHook);
}

export function broughtHook({ name, on, note, tool, every, run, in: place }: Hook): BroughtThing {
  const when = [on, every && `every ${every}`, note, tool].filter(Boolean).join(' · ');
  const what =
    'tool' in run
      ? `tool: ${run.tool} ${JSON.stringify(run.arguments ?? {})}`
      : 'prompt' in run
        ? `prompt: ${run.prompt}`
        : `agent: ${run.agent}`;
  const lines = [`on: ${when}`, what, ...(place === undefined ? [] : [`in: ${place}`])];
  return { kind: 'hook', name, lines, fingerprint: JSON.stringify(['hook', name, lines]) };
}
