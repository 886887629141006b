const fields = 'input, textarea, select, [role="combobox"], [role="radio"], [role="switch"]';

/** Into the first thing to fill in, where what had the focus went away. */
export function goOnIn(place: Element | null): void {
  if (place && isFocusLost(place)) place.querySelector<HTMLElement>(`:is(${fields}):not(:disabled)`)?.focus();
}

/** Nothing has it, or what is around the place, where no key does anything. */
export function isFocusLost(place: Element): boolean {
  const { activeElement } = document;
  return activeElement === null || (activeElement !== place && activeElement.contains(place));
}
