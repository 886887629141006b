import type { Hook } from '../../contract/hooks';
import type { Contribution } from '../trust';
import { readHookText } from './hook-text';

/** What the hooks of a file would do and when. */
export function hookContributions(text: string): Contribution[] {
  return readHookText(text)
    .hooks.filter(({ enabled }) => enabled !== false)
    .map(hookContribution);
}

export function hookContribution({ name, on, note, tool, every, run, in: place }: Hook): Contribution {
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
