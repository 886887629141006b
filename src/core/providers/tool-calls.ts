import { randomUUID } from 'node:crypto';
import { changedFault, changedNumber } from '../../contract/changed-number';
import { argumentsFault } from '../../contract/json';
import { type CallSlot, createCallSlots, type ToolCallPiece } from './call-slots';
import { isObject } from './format';
import type { ModelEvent } from './provider';

type ToolCallEvent = Extract<ModelEvent, { kind: 'tool-call' }>;

/** Puts the calls of one answer together from whatever pieces a provider sends. */
export interface ToolCalls {
  add(piece: ToolCallPiece, position?: number): ModelEvent[];
  /** Every call, complete. */
  finish(): ToolCallEvent[];
  readonly size: number;
}

/** Arguments that came as a value of their own. */
export function takenArguments(value: unknown): Pick<ToolCallEvent, 'arguments' | 'error'> {
  const fault = argumentsFault(value);
  return fault === null && isObject(value)
    ? { arguments: value, error: null }
    : { arguments: null, error: `Their JSON ${fault}.` };
}

export function parseArguments(text: string): Pick<ToolCallEvent, 'arguments' | 'error'> {
  if (text.trim() === '' || text.trim() === 'null') return { arguments: {}, error: null };
  try {
    const value: unknown = JSON.parse(text);
    const number = changedNumber(text);
    return number === null
      ? takenArguments(value)
      : { arguments: null, error: `Their JSON ${changedFault(number)}.` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { arguments: null, error: `The arguments are not valid JSON: ${reason}` };
  }
}

/** What was wrong with an object may be lost in its text. */
function argumentsOf({ whole, text }: CallSlot): ReturnType<typeof parseArguments> {
  const value = whole === undefined ? null : takenArguments(whole);
  return value?.error ? value : parseArguments(text);
}

export function createToolCalls(): ToolCalls {
  const slots = createCallSlots();

  function start(slot: CallSlot): ModelEvent[] {
    if (slot.started || slot.name === '') return [];
    slot.started = true;
    slot.id = slot.givenId || `call_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    return [{ kind: 'tool-call-start', index: slots.all.indexOf(slot), id: slot.id, name: slot.name }];
  }

  return {
    get size() {
      return slots.all.length;
    },
    add(piece, position = 0) {
      const slot = slots.of(piece, position);
      // Ids and names may be repeated, or come empty, in later pieces: the first ones hold.
      if (piece.id && slot.givenId === '' && !slot.started) slot.givenId = piece.id;
      if (piece.name && slot.name === '') slot.name = piece.name;
      const events = start(slot);
      if (isObject(piece.arguments)) slot.whole ??= piece.arguments;
      const text =
        typeof piece.arguments === 'string'
          ? piece.arguments
          : isObject(piece.arguments)
            ? JSON.stringify(piece.arguments)
            : '';
      if (text !== '') {
        slot.text += text;
        events.push({ kind: 'tool-call-arguments', index: slots.all.indexOf(slot), text });
      }
      return events;
    },
    finish: () =>
      slots.all
        .filter((slot) => slot.started)
        .map((slot) => ({
          kind: 'tool-call',
          index: slots.all.indexOf(slot),
          id: slot.id,
          name: slot.name,
          argumentsText: slot.text,
          ...argumentsOf(slot),
        })),
  };
}
