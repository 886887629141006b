import { escapeHidden } from '../../markdown';
import type { ResolvedAgent } from './resolved-agent';

/**
 * An agent as a person agrees to it: all that decides which tools run, who decides it, at what price, and by which instructions.
 * No two agents that differ in that have the same words, whatever signs are in them.
 */
export const agentWords = (agent: ResolvedAgent): string[] => named(agent, agentLines(agent));

/** Of an agent whose tools are asked for: what decides who gets the conversation, at what price, and with which tools. */
export const agentPowers = (agent: ResolvedAgent): string[] =>
  named(agent, [...settingLines(agent), ...costLines(agent)]);

/** The same without its name. */
export const agentLines = (agent: ResolvedAgent): string[] => [
  ...settingLines(agent),
  ...costLines(agent),
  ...instructionLines(agent),
];

const named = ({ name }: ResolvedAgent, lines: readonly string[]) => [
  `agent: ${wordsOf(name)}`,
  ...lines.map((line) => `  ${line}`),
];

const settingLines = ({ approval, tools, provider, model, webSearch, parameters }: ResolvedAgent) => [
  ...(approval === null ? [] : [`approval: ${approval}`]),
  `tools: ${tools === null ? '*' : listWords(tools)}`,
  ...(provider === null ? [] : [`provider: ${wordsOf(provider)}`]),
  ...(model === null ? [] : [`model: ${wordsOf(model)}`]),
  ...(webSearch === null ? [] : [`web_search: ${webSearch}`]),
  ...(parameters === null ? [] : [`parameters: ${quotedWords(parameters)}`]),
];

const costLines = ({ maxTokens, reasoning }: ResolvedAgent) => [
  ...(maxTokens === null ? [] : [`max_tokens: ${maxTokens}`]),
  ...(reasoning === null ? [] : [`reasoning: ${reasoning}`]),
];

const instructionLines = ({ instructions }: ResolvedAgent) =>
  instructions === ''
    ? []
    : ['instructions:', ...instructions.split('\n').map((line) => `  ${sentence(line)}`)];

export const listWords = (items: readonly string[]): string => `[${items.map(wordsOf).join(', ')}]`;

const plain = /^[\p{L}\p{N}\p{M}_*?./:@!{}-]+(?: [\p{L}\p{N}\p{M}_*?./:@!{}-]+)*$/u;

/** A value on its line, with nothing in it that hides. */
export const wordsOf = (text: string) => (plain.test(text) && !hides(text) ? text : quotedWords(text));

const sentence = (line: string) => (/^\s*"/.test(line) || hides(line) ? quotedWords(line) : line);

const hides = (text: string) => /[^\P{Cc}\t]|\p{Cs}/u.test(text) || escapeHidden(text, () => '') !== text;

export const quotedWords = (value: unknown) =>
  escapeHidden(JSON.stringify(value), codeOf).replace(/\p{Cc}/gu, codeOf);

const codeOf = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
