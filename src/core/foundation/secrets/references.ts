/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}`, `${vault}`, `${userHome}`, `${secret:name}`. */
const variable = /\$\{(?:(env|secret):([\w.\-/ ]+?)|([A-Za-z_]\w*))(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}/g;

/** Up to the last brace: that none closes behind it is not found out again for each that is open. */
const lastEnd = (text: string) => text.lastIndexOf('}') + 1;

export const variablesIn = (text: string) => text.slice(0, lastEnd(text)).matchAll(variable);

/** True where everything but well-known prefixes is a reference, so that showing the text gives nothing away. */
export function isReference(text: string): boolean {
  const end = lastEnd(text);
  const rest =
    text.slice(0, end).replace(variable, (whole) => (whole.includes(':-') ? whole : '')) + text.slice(end);
  return rest !== text && /^\s*((bearer|basic|token)\s*)?$/i.test(rest);
}
