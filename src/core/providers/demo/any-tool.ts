import { isObject } from '../format';
import type { NeutralTool } from '../provider';
import { fillArguments } from './fill-arguments';
import { errorWords } from './results';
import { bareName, type DoneCall, type Step, type Turn } from './turn';
import { hits, keywords } from './words';

const longestQuote = 1_200;
/** Tools called side by side, where a question names more than one. */
const mostAtOnce = 2;

/** Any tool at all: one that the question names, or one whose words the question has. */
export function anyTool(how: 'named' | 'matching'): (turn: Turn) => Step | null {
  return (turn) => {
    const tools = (how === 'named' ? namedIn(turn) : bestMatches(turn)).slice(0, mostAtOnce);
    const [first] = tools;
    if (!first) return null;
    const done = turn.done.filter(({ name }) => tools.some((tool) => tool.name === name));
    if (done.length > 0) return { text: done.map(told).join('\n\n'), calls: [] };

    const plans = tools.map((tool) => ({
      tool,
      ...fillArguments(tool.inputSchema, turn.question, bareName(tool.name)),
    }));
    const ready = plans.filter(({ missing }) => missing.length === 0);
    const missing = plans[0]?.missing ?? [];
    if (ready.length === 0)
      return {
        text: `For this I would use \`${bareName(first.name)}\`, but I can't tell what its ${missing.map((name) => `\`${name}\``).join(' and ')} should be. Say it as \`${missing[0]}: …\`.`,
        calls: [],
      };
    return {
      text: `I’ll use ${ready.map(({ tool }) => `\`${bareName(tool.name)}\``).join(' and ')} for this.`,
      calls: ready.flatMap(({ tool, sets }) => sets.map((set) => ({ name: tool.name, arguments: set }))),
    };
  };
}

function told({ name, result, isError }: DoneCall): string {
  const own = bareName(name);
  return isError
    ? `\`${own}\` did not do it: ${errorWords(result)}`
    : `\`${own}\` says:\n\n${quoted(result)}`;
}

/** Its whole name stands in the question, as itself or in words: `get_weather`, "get weather". */
function namedIn({ question, tools }: Turn): NeutralTool[] {
  const text = question.toLowerCase();
  return tools
    .filter(({ name }) => {
      const own = bareName(name).toLowerCase();
      if (new RegExp(`(^|[^\\w-])${escaped(own)}($|[^\\w-])`).test(text))
        return (
          /[_-]/.test(own) ||
          new RegExp(`\\b(use|call|run|tool)\\b.*${escaped(own)}|\`${escaped(own)}\``).test(text)
        );
      return /[_-]/.test(own) && text.includes(own.replace(/[_-]+/g, ' '));
    })
    .sort((a, b) => b.name.length - a.name.length);
}

/** A word of the name weighs three words of the description; a single common word is not enough. */
function bestMatches({ question, tools }: Turn): NeutralTool[] {
  const words = keywords(question);
  const scored = tools
    .map((tool) => {
      const own = keywords(bareName(tool.name).replace(/[_-]+/g, ' '));
      const inName = hits(words, own.join(' '));
      const whole = own.length > 0 && inName === own.length;
      return { tool, score: inName * 3 + hits(words, tool.description), whole };
    })
    .filter(({ score, whole }) => score >= (whole ? 3 : 4))
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
  const named = scored.filter(({ whole }) => whole);
  return (named.length > 0 ? named : scored.slice(0, 1)).map(({ tool }) => tool);
}

function quoted(result: string): string {
  const short = result.length > longestQuote ? `${result.slice(0, longestQuote)}…` : result;
  const json = /^\s*[[{]/.test(short);
  if (json) return `\`\`\`json\n${pretty(short)}\n\`\`\``;
  return short
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
