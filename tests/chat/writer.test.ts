import { expect, test } from 'vitest';
import { createWriter } from '../../src/core/chat/writer';
import { systemClock } from '../../src/core/foundation';
import { parseConversation } from '../../src/markdown';
import { createMemorySession } from './support/memory-notes';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

function writerIn(note: string) {
  const session = createMemorySession('A.md', note, Date.now);
  let read = 0;
  const slice = session.slice;
  session.slice = (from, to) => {
    const text = slice(from, to);
    read += text.length;
    return text;
  };
  const writer = createWriter({
    ...{ session, clientId: 'run', at: note.length, tags, tag: 'Claude', clock: systemClock },
    onBroken: (error) => {
      throw error;
    },
  });
  return { session, writer, read: () => read };
}

test('an answer that goes from text to reasoning and back a thousand times reads the note once', () => {
  const note = `${'A line above.\n'.repeat(5_000)}\n#User : hi\n\n#Claude : `;
  const { session, writer, read } = writerIn(note);
  for (let n = 0; n < 1_000; n++) {
    writer.text(`Text ${n}\n#User : x`);
    writer.reasoning(`why ${n}`);
  }
  writer.endPart();
  writer.close();
  expect(session.text()).toContain('Text 999');
  expect(session.text().slice(note.length)).not.toMatch(/^#User : /m);
  expect(read()).toBeLessThan(3 * session.text().length);
});

test('code that a person opens above meanwhile is closed, and the answer goes on below it in its own turn', () => {
  const { session, writer } = writerIn('Above\n\n#Claude : ');
  writer.text('one');
  writer.reasoning('why');
  session.edit('person', { from: 0, insert: '~~~\n' });
  writer.text('#User : two');
  writer.endPart();
  writer.close();
  expect(session.text().replace(/\n{3,}/g, '\n\n')).toBe(
    '~~~\nAbove\n\n#Claude : one\n\n~~~~~~~\n\n#Claude : \n\n> [!thinking]- 0.0 s\n> why\n\n\\#User : two',
  );
});

const tagLine = /^#(?:User|System) : LATE/m;
const asked = '#User : q\n\n#Claude : ';
const late = 'x\n#User : LATE in code\n```\nThen.\n#User : LATE behind\n```\n#System : LATE again\n```\nEnd.';

/** `when`: what the model had said by then; `opened`: what a person types above it, `completed`: and later makes of that. */
test.each([
  { when: 'text', said: 'I look.\n\n', opened: '```\ncode\n', completed: '' },
  { when: 'text', said: 'I look.\n\n', opened: '```\ncode\n', completed: '```\ncode\n```\n' },
  { when: 'text', said: 'I look.\n\n', opened: '~~~~\n', completed: '' },
  { when: 'text', said: 'I look.\n\n', opened: '~~~~\n', completed: '~~~~\n~~~~\n' },
  { when: 'code', said: '```\ncode one\n', opened: '```\n', completed: '' },
  { when: 'code', said: '```\ncode one\n', opened: '~~~~\n', completed: '' },
  { when: 'code', said: '```\ncode one\n', opened: '~~~~\n', completed: '~~~~\n~~~~\n' },
  { when: 'code', said: '```\ncode one\n', opened: '````\n', completed: '' },
  { when: 'code', said: '````\ncode one\n', opened: '```\n', completed: '' },
])(
  'a person who types $opened above $when of a model and makes it $completed later wakes no tag',
  (typed) => {
    const { when, said, opened, completed } = typed;
    for (const place of ['above the question', 'above the answer', 'in the answer']) {
      const { session, writer } = writerIn(asked);
      writer.text(`Here:\n\n${said}`);
      writer.flush();
      const note = session.text();
      const from =
        place === 'above the question'
          ? 0
          : note.indexOf(place === 'in the answer' ? said.trimEnd() : '#Claude');
      session.edit('person', { from, insert: opened });
      writer.text(
        when === 'text' ? `\`\`\`\n${late}` : late.replace('```', said.startsWith('````') ? '````' : '```'),
      );
      writer.endPart();
      writer.close();
      session.edit('person', { from, to: from + opened.length, insert: completed });
      const after = session.text();
      for (const { role, from: start, to } of parseConversation(after, tags, []).turns)
        if (role !== 'assistant') expect(after.slice(start, to), after).not.toMatch(tagLine);
    }
  },
);
