import type { CallOutcome, ResultPart } from '../../../contract/tools';
import { cutTo, measured } from '../../foundation';

/** Characters of the texts of one outcome that go to a screen; nobody reads more there, and it goes there in one message. */
const mostShown = 2_000_000;

/** An outcome as a person is shown it: texts that are too long for that are cut, and say so. Images and sounds stay whole. */
export function forScreen(outcome: CallOutcome): CallOutcome {
  let room = mostShown;

  function cut(text: string): string {
    const beginning = cutTo(text, room);
    room = Math.max(0, room - beginning.length);
    return beginning;
  }

  function shortPart(part: ResultPart): ResultPart {
    switch (part.kind) {
      case 'text':
      case 'resource':
        return { ...part, text: cut(part.text) };
      case 'json':
      case 'unknown': {
        const size = measured(part.value);
        const length = typeof size === 'string' ? Number.POSITIVE_INFINITY : size.characters + size.parts;
        if (length > room) return { kind: 'text', text: tooLong };
        room -= length;
        return part;
      }
      case 'link':
      case 'image':
      case 'audio':
        return part;
    }
  }

  return { ...outcome, parts: outcome.parts.map(shortPart) };
}

const tooLong = '(Structured data that is too long to be shown here.)';
