const swallow = (event: { preventDefault(): void }) => event.preventDefault();

/**
 * For a control whose press is being carried out: it takes no other. Were it disabled, the keyboard would be taken from whoever
 * pressed it.
 */
export const waitingProps = {
  'aria-disabled': true,
  onClick: swallow,
  onPointerDown: undefined,
  onKeyDown: undefined,
} as const;
