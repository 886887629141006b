export { createAgents } from './agents';
export type { Agents, ResolvedAgent } from './door';
export { fillInstructions } from './instructions';
export { agentTag } from './tags';
