import { createHash } from 'node:crypto';
import type { AgentField } from '../../contract/front-matter-fields';
import { readFrontMatter } from '../../markdown';
import type { Contribution } from '../trust';
import { agentLines } from './agent-words';
import type { ResolvedAgent } from './resolved-agent';
import { agentTag } from './tags';

/** Reads an agent's note. What cannot be used is named in `problem`; the rest holds. */
export function readAgentNote(path: string, text: string): ResolvedAgent {
  const frontMatter = readFrontMatter(text);
  const values = frontMatter?.values ?? {};
  const problems: string[] = frontMatter?.problem ? [frontMatter.problem] : [];
  const wrong = (key: AgentField, expected: string): null => {
    problems.push(`\`${key}\` must be ${expected}.`);
    return null;
  };
  const absent = (key: AgentField) => values[key] === undefined || values[key] === null;
  const words = (key: AgentField) => {
    const value = values[key];
    if (absent(key)) return null;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : wrong(key, 'text');
  };
  const number = (key: AgentField) => {
    const value = values[key];
    if (absent(key)) return null;
    return typeof value === 'number' && Number.isFinite(value) ? value : wrong(key, 'a number');
  };
  const list = (key: AgentField) => {
    const value = values[key];
    if (absent(key)) return null;
    if (typeof value === 'string') return value.split(/[\s,]+/).filter((item) => item !== '');
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    return wrong(key, 'a list of names');
  };
  const truth = (key: AgentField) => {
    const value = values[key];
    if (absent(key)) return null;
    return typeof value === 'boolean' ? value : wrong(key, 'true or false');
  };
  const group = (key: AgentField): Record<string, unknown> | null => {
    const value = values[key];
    if (absent(key)) return null;
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : wrong(key, 'a group of names and values');
  };
  const oneOf = <const T extends string>(key: AgentField, allowed: readonly T[]): T | null => {
    const value = values[key];
    if (absent(key)) return null;
    return allowed.find((item) => item === value) ?? wrong(key, `one of ${allowed.join(', ')}`);
  };

  const maxTokens = number('max_tokens');
  const tools = list('tools');
  const servers = list('servers');
  const name = words('name')?.trim() || nameOf(path);
  return {
    name,
    path,
    tag: agentTag(name),
    provider: words('provider'),
    model: words('model'),
    tools: tools === null && servers === null ? null : [...(tools ?? []), ...(servers ?? [])],
    temperature: number('temperature'),
    maxTokens:
      maxTokens !== null && (maxTokens < 1 || !Number.isInteger(maxTokens))
        ? wrong('max_tokens', 'a whole number above zero')
        : maxTokens,
    approval: oneOf('approval', ['ask', 'allow', 'deny']),
    reasoning: oneOf('reasoning', ['none', 'low', 'medium', 'high']),
    webSearch: truth('web_search'),
    parameters: group('parameters'),
    instructions: text.slice(frontMatter?.to ?? 0).trim(),
    problem: problems.length > 0 ? problems.join(' ') : null,
  };
}

/** All that decides who gets a conversation, at what price, with which tools and by which instructions. */
export function agentContribution(agent: ResolvedAgent): Contribution {
  const { path, name } = agent;
  const lines = agentLines(agent);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(['agent', path, name, lines]))
    .digest('hex');
  return { kind: 'agent', name, lines, fingerprint };
}

function nameOf(path: string): string {
  return (path.split('/').pop() ?? path).replace(/\.md$/i, '');
}
