import type { agentsOperations } from '../../contract/agents';
import type { Handlers } from '../../contract/define';
import type { hooksOperations } from '../../contract/hooks';
import { live } from './live';

/** Neither agents nor hooks; whatever is saved of them is taken and not kept. */
export const exampleAgents: Handlers<typeof agentsOperations & typeof hooksOperations> = {
  'agents.prompts': async function* () {
    yield [];
  },
  'agents.fillPrompt': () => ({ text: '' }),
  'hooks.list': async function* () {
    yield { kind: 'listed', trusted: true, hooks: [], problems: [] };
  },
  'hooks.save': () => undefined,
  'hooks.setEnabled': () => undefined,
  'hooks.remove': () => undefined,
  'hooks.run': ({ path }) => ({ at: Date.now(), event: null, path, ms: 4, outcome: 'ok', detail: '' }),
  'agents.findTars': () => null,
  'agents.importTars': () => ({
    seen: '',
    providers: [],
    tags: { newChat: [], user: [], system: [] },
    prompts: [],
    limits: [],
    instructions: '',
    skipped: [],
  }),
  'agents.list': (_, { signal }) => live([]).follow(signal),
};
