/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}`, `${vault}`, `${userHome}`, `${secret:name}`. */
export const variable =
  /\$\{(?:(env|secret):([\w.\-/ ]+?)|([A-Za-z_]\w*))(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}/g;

/** True where everything but well-known prefixes is a reference, so that showing the text gives nothing away. */
export function isReference(text: string): boolean {
  variable.lastIndex = 0;
  const rest = text.replace(variable, (whole) => (whole.includes(':-') ? whole : ''));
  return rest !== text && /^\s*((bearer|basic|token)\s*)?$/i.test(rest);
}
