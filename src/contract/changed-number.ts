import { visit } from 'jsonc-parser';

/** The first number that would be handed on as another one; null: there is none. */
export function changedNumber(json: string): string | null {
  let changed: string | null = null;
  visit(json, {
    onLiteralValue: (value, offset, length) => {
      const literal = json.slice(offset, offset + length);
      if (typeof value === 'number' && isChanged(literal)) changed ??= literal;
    },
  });
  return changed;
}

/** Whether a program keeps another number than is written there. That decimals are rounded is usual everywhere. */
export function isChanged(literal: string): boolean {
  const decimal = /^0[xo]/.test(literal) ? String(BigInt(literal)) : literal;
  const magnitude = Math.abs(Number(decimal));
  return magnitude > Number.MAX_SAFE_INTEGER && digitsOf(decimal) !== digitsOf(String(magnitude));
}

/** The same for each way to write a number; its sign says nothing here. */
function digitsOf(decimal: string): string | null {
  const [, whole = '', part = '', power = '0'] =
    /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(decimal) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0 ? null : `${digits.slice(0, end)}e${Number(power) - part.length + digits.length - end}`;
}

/** Why it is refused, behind a name for what holds it. */
export const changedFault = (literal: string): string =>
  `holds the number ${shortNumber(literal)}, which would be sent as another one; write it as text, in quotes, if text is taken`;

export const shortNumber = (literal: string): string =>
  literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
