const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `1s`, `6m0s`, `20ms`, plain seconds, or a moment as RFC 3339 writes it; in milliseconds from now. */
function untilReset(text: string, now: number): number | null {
  const parts = [...text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length > 0 && parts.map(([whole]) => whole).join('') === text)
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0);
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment - now;
}

/**
 * How long until the last of the limits that are used up is renewed: OpenAI's and Azure's `x-ratelimit-remaining-tokens`,
 * Anthropic's `anthropic-ratelimit-tokens-remaining`, and others like them. Null where no header says so.
 */
export function waitForLimits(headers: Headers, now: number): number | null {
  let longest: number | null = null;
  for (const [name, value] of headers) {
    if (!/ratelimit/.test(name) || !/remaining/.test(name) || Number(value) > 0) continue;
    const reset = headers.get(name.replace('remaining', 'reset'));
    const wait = reset === null ? null : untilReset(reset.trim(), now);
    if (wait !== null && wait >= 0) longest = Math.max(longest ?? 0, wait);
  }
  return longest;
}
