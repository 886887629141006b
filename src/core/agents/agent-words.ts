import { escapeHidden } from '../../markdown';
import type { ResolvedAgent } from './resolved-agent';

/**
 * An agent as a person agrees to it: all that decides which tools run, who decides it, and by which instructions. No two
 * agents that differ in that have the same words, whatever signs are in them.
 */
export function agentWords({ name, ...agent }: ResolvedAgent): string[] {
  return [`agent: ${word(name)}`, ...agentLines(agent).map((line) => `  ${line}`)];
}

export function agentLines(agent: Omit<ResolvedAgent, 'name'>): string[] {
  const { approval, tools, provider, model, webSearch, parameters, instructions } = agent;
  return [
    ...(approval === null ? [] : [`approval: ${approval}`]),
    `tools: ${tools === null ? '*' : listWords(tools)}`,
    ...(provider === null ? [] : [`provider: ${word(provider)}`]),
    ...(model === null ? [] : [`model: ${word(model)}`]),
    ...(webSearch === null ? [] : [`web_search: ${webSearch}`]),
    ...(parameters === null ? [] : [`parameters: ${quoted(parameters)}`]),
    ...(instructions === ''
      ? []
      : ['instructions:', ...instructions.split('\n').map((line) => `  ${sentence(line)}`)]),
  ];
}

export const listWords = (items: readonly string[]): string => `[${items.map(word).join(', ')}]`;

const plain = /^[\p{L}\p{N}\p{M}_*?./:@!{}-]+(?: [\p{L}\p{N}\p{M}_*?./:@!{}-]+)*$/u;

const word = (text: string) => (plain.test(text) && !hides(text) ? text : quoted(text));

const sentence = (line: string) => (/^\s*"/.test(line) || hides(line) ? quoted(line) : line);

const hides = (text: string) => /[^\P{Cc}\t]|\p{Cs}/u.test(text) || escapeHidden(text, () => '') !== text;

const quoted = (value: unknown) => escapeHidden(JSON.stringify(value), codeOf).replace(/\p{Cc}/gu, codeOf);

const codeOf = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
