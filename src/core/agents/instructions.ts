/** Whether the name of the note goes along with them. */
export const nameTheNote = (text: string): boolean => /\{\{\s*note\s*\}\}/.test(text);

/** Fills `{{vault}}`, `{{date}}` and `{{note}}` in; what else stands in double braces stays as written. */
export function fillInstructions(
  text: string,
  values: { readonly vault: string; readonly date: string; readonly note: string },
): string {
  return text.replace(
    /\{\{\s*(vault|date|note)\s*\}\}/g,
    (_whole, name: keyof typeof values) => values[name],
  );
}
