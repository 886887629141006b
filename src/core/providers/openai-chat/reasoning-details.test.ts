import { expect, test } from 'vitest';
import { createReasoningDetails } from './reasoning-details';

test('pieces of one item go back as one, those of another item beside it', () => {
  const details = createReasoningDetails();
  const text = (index: number, part: string) => ({ type: 'reasoning.text', index, text: part });
  details.add([text(0, 'First, ')]);
  details.add([text(0, 'the notes.')]);
  details.add([text(1, 'Then the tools.')]);
  details.add([{ type: 'reasoning.text', index: 1, text: null, signature: 'signed' }]);
  expect(details.all()).toEqual([
    text(0, 'First, the notes.'),
    text(1, 'Then the tools.'),
    { type: 'reasoning.text', index: 1, text: null, signature: 'signed' },
  ]);
});
