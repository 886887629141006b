import { redactText } from '../foundation';
import { isReference } from './environment';

export const secretName = /(key|token|secret|passw|auth|credential)/i;

/** What looks like a secret is hidden. */
export function maskedArgs(args: readonly string[]): string[] {
  return args.map((arg, at) => {
    const found = secretArg(args, at);
    return found ? found.before + hideText(found.value) : redactText(arg);
  });
}

/** The part of an argument that is a secret by the name of its flag, or by its own look. */
export function secretArg(
  args: readonly string[],
  at: number,
): { readonly name: string; readonly before: string; readonly value: string } | null {
  const arg = args[at] ?? '';
  const [flag, value] = arg.split(/=(.*)/s);
  if (flag && value !== undefined && flag.startsWith('-') && secretName.test(flag))
    return { name: flag.replace(/^-+/, ''), before: `${flag}=`, value };
  const before = args[at - 1] ?? '';
  const isValue = before.startsWith('-') && !before.includes('=') && secretName.test(before);
  return isValue && !arg.startsWith('-') ? { name: before.replace(/^-+/, ''), before: '', value: arg } : null;
}

const hideText = (text: string) => (isReference(text) ? text : '•••');
