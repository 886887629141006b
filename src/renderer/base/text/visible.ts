import { escapeHidden } from '../../../markdown';

/** Foreign words with what they could hide written out. */
export function visible(text: string): string {
  return escapeHidden(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
