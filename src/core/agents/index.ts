export { broughtAgent, readAgentNote } from './agent-note';
export { agentWords, listWords } from './agent-words';
export { createAgents } from './agents';
export type { Agents, ResolvedAgent } from './door';
export { createTarsImport } from './import-tars';
export { fillInstructions } from './instructions';
export { createPrompts, type Prompts } from './prompts';
export { agentTag } from './tags';
