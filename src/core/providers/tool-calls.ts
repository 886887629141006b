import { randomUUID } from 'node:crypto';
import { changedFault, changedNumber } from '../../contract/changed-number';
import { argumentsFault } from '../../contract/json';
import { isObject } from './format';
import type { ModelEvent } from './provider';

type ToolCallEvent = Extract<ModelEvent, { kind: 'tool-call' }>;

export interface ToolCallPiece {
  /** The provider's own number for the call, where it gives one. */
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** Text to append; an object is a whole set of arguments. */
  readonly arguments?: unknown;
}

interface Slot {
  /** Null as long as no piece was numbered. */
  providerIndex: number | null;
  id: string;
  /** As the provider said it; empty if it said none. */
  givenId: string;
  name: string;
  started: boolean;
  text: string;
  /** Arguments that came as a value, whose text may not show all of it. */
  whole: unknown;
}

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
function argumentsOf({ whole, text }: Slot): ReturnType<typeof parseArguments> {
  const taken = whole === undefined ? null : takenArguments(whole);
  return taken?.error ? taken : parseArguments(text);
}

export function createToolCalls(): ToolCalls {
  const slots: Slot[] = [];

  /**
   * By number, then id, then place in the list. A new id with a name under a number in use is another call: some
   * providers number every call 0. Others number only some pieces of a call: a number that is new without a name of its own
   * belongs to the call begun without one.
   */
  function slotOf({ index, id, name }: ToolCallPiece, position: number): Slot {
    const numbered = typeof index === 'number';
    const found = numbered
      ? (slots.findLast((slot) => slot.providerIndex === index) ?? begunWithout(index, id, name))
      : unnumbered(id, position);
    if (found && !(numbered && id && name && found.givenId !== '' && found.givenId !== id)) {
      if (numbered) found.providerIndex = index;
      return found;
    }
    const slot: Slot = {
      providerIndex: numbered ? index : null,
      id: '',
      givenId: '',
      name: '',
      started: false,
      text: '',
      whole: undefined,
    };
    slots.push(slot);
    return slot;
  }

  function begunWithout(index: number, id: ToolCallPiece['id'], name: ToolCallPiece['name']) {
    const open = slots.filter((slot) => slot.providerIndex === null);
    if (id) return open.find((slot) => slot.givenId === id);
    if (name) return undefined;
    const at = slots[index];
    return at?.providerIndex === null ? at : open.at(-1);
  }

  function unnumbered(id: ToolCallPiece['id'], position: number): Slot | undefined {
    if (id) return slots.find((slot) => slot.givenId === id);
    // Among numbered calls a piece without a number goes on with the newest.
    return slots.some((slot) => slot.providerIndex !== null) ? slots.at(-1) : slots[position];
  }

  function start(slot: Slot): ModelEvent[] {
    if (slot.started || slot.name === '') return [];
    slot.started = true;
    slot.id = slot.givenId || `call_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    return [{ kind: 'tool-call-start', index: slots.indexOf(slot), id: slot.id, name: slot.name }];
  }

  return {
    get size() {
      return slots.length;
    },
    add(piece, position = 0) {
      const slot = slotOf(piece, position);
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
        events.push({ kind: 'tool-call-arguments', index: slots.indexOf(slot), text });
      }
      return events;
    },
    finish: () =>
      slots
        .filter((slot) => slot.started)
        .map((slot) => ({
          kind: 'tool-call',
          index: slots.indexOf(slot),
          id: slot.id,
          name: slot.name,
          argumentsText: slot.text,
          ...argumentsOf(slot),
        })),
  };
}
