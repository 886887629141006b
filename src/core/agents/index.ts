export { agentContribution, readAgentNote } from './agent-note';
export { agentPowers, agentWords, listWords, quotedWords, wordsOf } from './agent-words';
export { type Agents, createAgents } from './agents';
export { createTarsImport } from './import-tars';
export { fillInstructions, nameTheNote } from './instructions';
export { createPrompts, type Prompts } from './prompts';
export type { ResolvedAgent } from './resolved-agent';
export { agentTag } from './tags';
