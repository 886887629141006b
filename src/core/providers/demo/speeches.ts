import { bareName, type Step, type Turn } from './turn';

export function introduction(turn: Turn): Step {
  const names = turn.tools.slice(0, 8).map((tool) => `\`${bareName(tool.name)}\``);
  const more = turn.tools.length > names.length ? ` and ${turn.tools.length - names.length} more` : '';
  const tools =
    names.length > 0
      ? `The tools on offer here are ${names.join(', ')}${more}. Ask for something that one of them does, such as “What is still open in the project?”, “List my notes” or “Create a note called Ideas”.`
      : 'No tools are on offer here, so there is nothing that I could look up.';
  return {
    text: `I am the **Demo (no model)**: a script that stands in for a language model, so I can't really answer this.\n\n${tools}\n\nFor real answers add a provider in Settings → Providers: a key for one of the vendors there, or an Ollama on this computer, which needs none.`,
    calls: [],
  };
}

const places = [
  'the harbour',
  'an old orchard',
  'the reading room',
  'a hill above the town',
  'the night train',
];
const finds = [
  'a letter without a name',
  'three grey feathers',
  'a key',
  'half a map',
  'a list of questions',
];
const turns = [
  'Nobody had asked for it, and so nobody had looked there before',
  'It rained for two days, which gave them time to read everything twice',
  'What was written between the lines turned out to matter more than the lines',
  'They took turns: one read aloud, one took notes, one doubted',
  'By evening there was a plan, and by morning there was a better one',
];

/** Long enough to have time to press Stop. */
export function longStory({ question }: Turn): Step | null {
  const storyWish =
    /\b(long|endless)\s+(story|tale|answer|text|essay)\b|\bat (great )?length\b|\bexplain in (great )?detail\b|\btell me a story\b|长篇|长故事|讲(一)?个.*故事/i;
  if (!storyWish.test(question)) return null;
  const chapters = Array.from({ length: 12 }, (_, at) => {
    const pick = (list: readonly string[], step: number) => list[(at * step + step) % list.length] ?? '';
    return `### ${at + 1}\n\nIn ${pick(places, 1)} they found ${pick(finds, 2)}. ${pick(turns, 3)}. So they went on, from ${pick(places, 3)} to ${pick(places, 4)}, and wrote down what they saw. ${pick(turns, 1)}. When somebody asked how long it would still take, the answer was always the same: not long, one more chapter.`;
  });
  return {
    text: `This is the **Demo (no model)** telling a long story; press Stop whenever you have had enough.\n\n${chapters.join('\n\n')}\n\nThe end.`,
    calls: [],
  };
}
