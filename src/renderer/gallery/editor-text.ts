/** A note that shows every shape the editor knows. */
export const exampleNote = `---
agent: Researcher
model: claude-sonnet-4-5
temperature: 0.3
tools: [memory/*, vault/*]
---
# Apollo, week 47

Notes for the review on **Thursday**. The open points are in [[projects/Apollo/Risks]] and on
[the status page](https://status.example.org/apollo); see also \`apollo.yaml\`.

- [x] Collect the figures
- [ ] Ask Grace about the *second* supplier
- [ ] Decide on the ~~old~~ new schedule
  1. by cost
  2. by risk

#System : Answer briefly, in plain words.

#User : Who works on Apollo, and what is still missing? Use what you know from memory, and [[Inbox]].

#Claude : Let me look it up.

> [!thinking]- 3.2 s
> The person asks for people and gaps. Memory has entities of type person.

> [!tool]- memory · search_nodes · 123 ms
> \`\`\`memory
> tool: search_nodes
> query: Apollo
> \`\`\`
> \`\`\`result ok ms=123 at=2026-11-21T10:00:00Z turn=1 def=a1b2c3
> {"entities":[{"name":"Apollo","entityType":"project","observations":["Led by Ada","Second supplier open"]}]}
> \`\`\`

> [!tool]- github · list_issues · 1840 ms
> \`\`\`github
> tool: list_issues
> repo: example/apollo
> \`\`\`
> \`\`\`result error ms=1840 at=2026-11-21T10:00:02Z turn=1
> The token has expired.
> \`\`\`

Ada leads **Apollo**; Grace looks after the suppliers. Two things are missing:

1. a decision on the second supplier,
2. the budget for the *test stand*.

| Part | Owner | Due |
| --- | --- | --- |
| Frame | Ada | 3 December |
| Test stand | Grace | open |

> [!note] Remember
> The review moved to Thursday.

\`\`\`python
def remaining(budget: float, spent: list[float]) -> float:
    # What is left, never below zero
    return max(0.0, budget - sum(spent))
\`\`\`

#User : Write that down, please.

\`\`\`memory
tool: create_entities
entities:
  - name: Apollo review
    entityType: meeting
    observations: [Moved to Thursday]
\`\`\`
> [!tool]- memory · create_entities · 41 ms
> \`\`\`result ok ms=41 at=2026-11-21T10:02:00Z
> [{"name":"Apollo review","entityType":"meeting","observations":["Moved to Thursday"]}]
> \`\`\`

> [!failure] The provider is overloaded
> Anthropic answered 529 three times. Nothing was sent twice.
> **Next:** ask again in a minute, or choose another model above.

#User : And what should I ask Grace?
`;

const paragraph =
  'The second supplier can deliver **by March** if [[Apollo]] decides this week; see `frame.yaml` for the sizes that were agreed on, and the list of open points.';

/** Turns, calls and code until the note has about so many characters. */
export function longNote(size: number): string {
  const call = exampleNote.slice(
    exampleNote.indexOf('> [!tool]- memory'),
    exampleNote.indexOf('> [!tool]- github'),
  );
  const turn = (at: number) =>
    `#User : Question ${at}: what about part ${at}?\n\n#Claude : ${paragraph}\n\n${call}${paragraph} ${paragraph}\n\n- one point\n- another\n\n`;
  const parts: string[] = ['# A long conversation\n\n'];
  for (let length = 0, at = 1; length < size; at++) {
    const next = turn(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
}

export const exampleAnswer = `Three questions for **Grace**:

1. Can the *second supplier* deliver the frame by March, and at what price?
2. Who pays for the test stand until the budget is settled?
3. Is there a risk in [[projects/Apollo/Risks]] that she would now call closed?

If you have ten minutes only, ask the first: everything else waits for it.

\`\`\`yaml
supplier:
  frame: by March
  price: open
\`\`\`
`;
