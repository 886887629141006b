import { printParseErrorCode, visit } from 'jsonc-parser';

export interface JsoncFault {
  readonly offset: number;
  /** In words, without a stop. */
  readonly message: string;
}

class Stop extends Error {}

/**
 * Where a text stops being JSON with comments; null: nowhere. Only the first place is looked for: behind it millions may be
 * wrong, and each would be an object of its own.
 */
export function jsoncFault(text: string, options: { allowTrailingComma?: boolean } = {}): JsoncFault | null {
  let fault: JsoncFault | null = null;
  try {
    visit(
      text,
      {
        onError(error, offset) {
          const message = printParseErrorCode(error)
            .replace(/([a-z])([A-Z])/g, '$1 $2')
            .toLowerCase();
          fault = { offset, message };
          throw new Stop();
        },
      },
      options,
    );
    return null;
  } catch (error) {
    if (error instanceof Stop) return fault;
    // The stack is full.
    return { offset: 0, message: 'nested too deeply' };
  }
}
