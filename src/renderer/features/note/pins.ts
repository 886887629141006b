import type { ChangeDesc } from '@codemirror/state';

/** A place in the text that goes with what stands there. */
export interface Pin {
  readonly at: number;
  remove(): void;
}

export function createPins() {
  const pins = new Set<{ at: number }>();
  return {
    put(at: number): Pin {
      const pin = { at, remove: () => void pins.delete(pin) };
      pins.add(pin);
      return pin;
    },
    map(changes: ChangeDesc): void {
      for (const pin of pins) pin.at = changes.mapPos(pin.at, 1);
    },
  };
}

export type Pins = ReturnType<typeof createPins>;
