export interface ToolCallPiece {
  /** The provider's own number for the call, where it gives one. */
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** Text to append; an object is a whole set of arguments. */
  readonly arguments?: unknown;
}

export interface CallSlot {
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

/** To which call of an answer a piece belongs, in the order in which calls began. */
export interface CallSlots {
  readonly all: readonly CallSlot[];
  /** A new one where the piece begins a call. `position`: among the pieces that came together. */
  of(piece: ToolCallPiece, position: number): CallSlot;
}

export function createCallSlots(): CallSlots {
  const slots: CallSlot[] = [];

  /**
   * By number, then id, then place in the list. A new id with a name under a number in use is another call: some
   * providers number every call 0. Others number only some pieces of a call: a number that is new without a name of its own
   * belongs to the call begun without one.
   */
  function of({ index, id, name }: ToolCallPiece, position: number): CallSlot {
    const numbered = typeof index === 'number';
    const present = numbered
      ? (slots.findLast((slot) => slot.providerIndex === index) ?? begunWithout(index, id, name))
      : unnumbered(id, position);
    if (present && !(numbered && id && name && present.givenId !== '' && present.givenId !== id)) {
      if (numbered) present.providerIndex = index;
      return present;
    }
    const slot: CallSlot = {
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

  function unnumbered(id: ToolCallPiece['id'], position: number): CallSlot | undefined {
    if (id) return slots.find((slot) => slot.givenId === id);
    // Among numbered calls a piece without a number goes on with the newest.
    return slots.some((slot) => slot.providerIndex !== null) ? slots.at(-1) : slots[position];
  }

  return { all: slots, of };
}
