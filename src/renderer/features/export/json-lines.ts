import { type Conversation, sentText, type Turn } from '../../../markdown';

/** Turns between two beginnings of a conversation. */
export function sectionsOf({ turns, newChats }: Conversation): Turn[][] {
  const bounds = [...newChats, Number.POSITIVE_INFINITY];
  const sections: Turn[][] = bounds.map(() => []);
  for (const turn of turns) sections[bounds.findIndex((at) => turn.from < at)]?.push(turn);
  return sections.filter((section) => section.length > 0);
}

/** One line a conversation: `{system?, query, response, history?}`, as fine-tuning wants it. Unanswered questions are left out. */
export function jsonLines(text: string, conversation: Conversation): string {
  return sectionsOf(conversation)
    .flatMap((turns) => {
      const system = turns
        .filter(({ role }) => role === 'system')
        .map((turn) => sentText(text, turn))
        .join('\n\n');
      const pairs = exchanges(text, turns);
      const last = pairs.pop();
      if (!last) return [];
      const [query, response] = last;
      const line = {
        ...(system !== '' && { system }),
        query,
        response,
        ...(pairs.length > 0 && { history: pairs }),
      };
      return [`${JSON.stringify(line)}\n`];
    })
    .join('');
}

/** Several messages of one speaker in a row are one. */
function exchanges(text: string, turns: readonly Turn[]): [string, string][] {
  const pairs: [string, string][] = [];
  let [question, answered] = ['', ''];
  const join = (a: string, b: string) => [a, b].filter((part) => part !== '').join('\n\n');
  const close = () => {
    if (question !== '' && answered !== '') pairs.push([question, answered]);
    if (answered !== '') [question, answered] = ['', ''];
  };
  for (const turn of turns) {
    const words = sentText(text, turn);
    if (turn.role === 'user') {
      close();
      question = join(question, words);
    } else if (turn.role === 'assistant') answered = join(answered, words);
  }
  close();
  return pairs;
}
