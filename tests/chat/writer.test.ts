import { expect, test } from 'vitest';
import { createWriter } from '../../src/core/chat/writer';
import { systemClock } from '../../src/core/foundation';
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
    '~~~\nAbove\n\n#Claude : one\n\n~~~\n\n#Claude : \n\n> [!thinking]- 0.0 s\n> why\n\n\\#User : two',
  );
});
