import { useCoreState } from '../../base/core/core';
import type { HookDraft } from './hook-draft';

export interface HookChoices {
  /** The names that can be chosen. */
  readonly names: readonly string[];
  /** What is to be known of the tool that is written there. */
  readonly about: 'hookForm.toolIs' | 'hookForm.notAllowed' | 'hookForm.unknownTool' | null;
}

/** What a hook of this kind can run. */
export function useHookChoices({ kind, which }: HookDraft): HookChoices {
  const tools = useCoreState('tools.catalog', {}) ?? [];
  const prompts = useCoreState('agents.prompts', {}) ?? [];
  const agents = useCoreState('agents.list', {}) ?? [];
  switch (kind) {
    case 'tool': {
      const choices = tools.map((tool) => ({ ...tool, full: `${tool.serverName}/${tool.name}` }));
      const chosen = choices.find(({ full }) => full === which.trim());
      // Its server may only be off.
      const isWhole = /^[^/]+\/./.test(which.trim());
      return {
        names: choices.map(({ full }) => full),
        about: chosen
          ? chosen.approval === 'allow'
            ? 'hookForm.toolIs'
            : 'hookForm.notAllowed'
          : isWhole
            ? 'hookForm.unknownTool'
            : 'hookForm.toolIs',
      };
    }
    case 'prompt':
      return { names: prompts.map(({ name }) => name), about: null };
    case 'agent':
      // One whose tag means something else cannot be asked.
      return { names: agents.flatMap(({ name, tag }) => (tag === null ? [] : [name])), about: null };
  }
}
