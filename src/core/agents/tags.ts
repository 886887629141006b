/** The assistant tag that an agent answers under: its name, with hyphens where a tag can hold no sign of it. */
export function agentTag(name: string): string {
  const tag = name
    .trim()
    .replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}_\-/]+/gu, '-')
    .replace(/^[-/]+|[-/]+$/g, '');
  return /[^\d]/.test(tag) ? tag : `agent-${tag}`;
}
