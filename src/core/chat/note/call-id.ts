import type { ToolResult } from '../../../markdown';

/** One word of a fence, and none that was made up here. */
const worthKeeping = /^(?!call_[0-9a-f]{16}$)[!-_a-~]{1,64}$/;
/** Names one call among all: not `0` or `read:0`, which come again in every turn. */
const ofOneCall = /^[A-Za-z0-9_-]{12,40}$/;

/**
 * The result with the id that the provider gave its call, so that the note is sent again with the same bytes as before: providers
 * remember what a request begins with, and ask less for it.
 */
export function withCallId(result: ToolResult, id: string | null): ToolResult {
  if (id === null || !worthKeeping.test(id) || callIdOf(result) !== null) return result;
  return { ...result, other: [...result.other, `id=${id}`] };
}

export function callIdOf({ other }: ToolResult): string | null {
  const id = other.find((word) => word.startsWith('id='))?.slice(3) ?? '';
  return worthKeeping.test(id) ? id : null;
}

export const namesOneCall = (id: string): boolean => ofOneCall.test(id);
