import type { agentsOperations } from '../../contract/agents';
import type { Handlers } from '../../contract/define';
import type { App } from '../app';

export function agentsHandlers({ agents, prompts, tars }: App): Handlers<typeof agentsOperations> {
  return {
    'agents.list': (_input, { signal }) => agents.list.follow(signal),
    'agents.prompts': (_input, { signal }) => prompts.list.follow(signal),
    'agents.fillPrompt': ({ path, selection, note, arguments: args }) => ({
      text: prompts.fill(path, { selection, note, arguments: args }),
    }),
    'agents.findTars': () => tars.find(),
    'agents.importTars': ({ seen, chosen }) => tars.take(seen, chosen),
  };
}
