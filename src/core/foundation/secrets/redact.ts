import { formsOf } from './secret-forms';
import { mayNameSecret } from './secret-names';

/** Of our own: they name no secret. */
const openKeys = new Set(['sessionId']);
/** Whole maps whose values may be secrets whatever their names. */
const closedKeys = new Set(['env', 'environment', 'headers', 'arguments']);
const secretText =
  /\b(sk-[\w-]{8,}|sk-ant-[\w-]{8,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{15,}|(?:hf|npm|gsk|ntn|lin_api|figd|sk_live|sk_test)_[\w-]{16,}|tvly-[\w-]{15,}|AKIA[A-Z0-9]{16}|xox[abprs]-[\w-]{10,}|AIza[\w-]{20,}|bce-v3\/[\w/-]{10,}|eyJ(?<!\beyJ[\w-]*?eyJ)[\w-]{10,}\.[\w-]{10,}\.[\w-]*)|(Bearer\s+)[\w.~+/-]{8,}=*/gi;
/** Stands in the place of a secret. */
export const hidden = '•••';

/** Hides what looks like a secret in running text, such as a server's log line. */
export function redactText(text: string): string {
  return text.replace(
    secretText,
    (_match, _token: string | undefined, bearer: string | undefined) => `${bearer ?? ''}${hidden}`,
  );
}

/** Where it does. */
export const secretShapes = (text: string): { start: number; end: number }[] =>
  [...text.matchAll(secretText)].map(({ index, 0: whole, 2: bearer = '' }) => ({
    start: index + bearer.length,
    end: index + whole.length,
  }));

/** Shorter than this no secret protects anything, and hiding it would only blot words. */
const shortestSecret = 4;
/** From here on a secret is hidden wherever it stands, also within something longer. */
const distinctSecret = 8;

/** Hides known secrets, and what looks like one. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  redactText(hideKnown(text, secrets));

/** Hides known secrets alone. A short one must stand alone, so that it does not blot parts of words. */
export function hideKnown(text: string, secrets: readonly string[]): string {
  const usable = secrets.filter((secret) => secret.length >= shortestSecret);
  // Long ones first: one secret may begin another.
  const longestFirst = usable.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce(hideSecret, text);
}

function hideSecret(text: string, secret: string): string {
  if (secret.length >= distinctSecret)
    return formsOf(secret).reduce((redacted, form) => redacted.replace(form, hidden), text);
  const exact = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${exact}(?![\\p{L}\\p{N}_])`, 'gu'), hidden);
}

/** A copy without secrets: by key name, by known token shapes, and whole `env`, `headers` and `arguments` maps. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value instanceof Error)
    return { name: value.name, message: redactText(value.message), stack: redactText(value.stack ?? '') };
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 6) return '…';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (closedKeys.has(key) && typeof item === 'object' && item !== null) {
        return [key, Object.fromEntries(Object.keys(item).map((name) => [name, hidden]))];
      }
      if (mayNameSecret(key) && !openKeys.has(key)) return [key, isPlain(item) ? item : hidden];
      return [key, redact(item, depth + 1)];
    }),
  );
}

/** Counts and switches are no secrets, whatever they are called. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean';
}
