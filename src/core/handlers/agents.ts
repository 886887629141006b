import type { agentsOperations } from '../../contract/agents';
import type { Handlers } from '../../contract/define';
import type { App } from '../app';

export function agentsHandlers({ agents, chat, prompts, tars }: App): Handlers<typeof agentsOperations> {
  return {
    'agents.list': (_input, { signal }) => agents.list.follow(signal),
    'agents.prompts': (_input, { signal }) => prompts.list.follow(signal),
    'agents.fillPrompt'({ path, selection, note, arguments: args }) {
      const text = prompts.fill(path, { selection, note, arguments: args });
      const name = prompts.list.get().find((one) => one.path === path)?.name ?? path;
      chat.promptFilled({ name, text, selection });
      return { text };
    },
    'agents.findTars': () => tars.find(),
    'agents.importTars': ({ seen, chosen }) => tars.take(seen, chosen),
  };
}
