import { createServerCheck, languageOf } from '../fence-language';
import type { Conversation, Role, TagNames, ToolBlock, ToolCallout, Turn, TurnPart } from '../model';
import { type Callout, type Fence, fenceBody, scanBlocks } from '../scan';
import { readToolBody } from '../tool-calls/body';
import { readToolCallout } from '../tool-calls/read';
import { createRoleOf, type RoleTag, roleTagsIn } from './tags';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Cut = Exclude<TurnPart, { kind: 'text' }>;

/** Reads a whole note. `servers` holds names and ids: only fences with such a language are tool blocks. */
export function parseConversation(text: string, tags: TagNames, servers: readonly string[]): Conversation {
  const roleOf = createRoleOf(tags);
  const isServer = createServerCheck(servers);
  const turns: Turn[] = [];
  const newChats: number[] = [];
  const blocks: ToolBlock[] = [];
  const calls: ToolCallout[] = [];
  let frontMatter: Conversation['frontMatter'] = null;
  /** Somebody known has spoken: only then may a tag that is nobody's be a speaker's. */
  let isConversation = false;
  let open: { role: Role; tag: RoleTag; cuts: Cut[] } | null = null;
  /** The fence that a result callout in the next or next but one line would belong to; `block` where it can be run. */
  let above: { fence: Fence; block: Mutable<ToolBlock> | null; blanks: number } | null = null;

  function close(to: number): void {
    if (!open) return;
    const { role, tag, cuts } = open;
    const contentFrom = Math.min(tag.contentFrom, to);
    turns.push({
      role,
      tag: tag.tag,
      ...(!tag.isKnown && { isUnknown: true as const }),
      from: tag.from,
      to,
      contentFrom,
      parts: partsOf(text, contentFrom, to, cuts),
    });
    open = null;
  }

  for (const block of scanBlocks(text)) {
    switch (block.kind) {
      case 'front-matter':
        frontMatter = { from: block.from, to: Math.min(block.to + 1, text.length) };
        break;
      case 'fence': {
        const tool = isServer(languageOf(block.info)) ? readToolBlock(text, block) : null;
        if (tool) blocks.push(tool);
        above = { fence: block, block: tool, blanks: 0 };
        break;
      }
      case 'code':
        above = null;
        break;
      case 'callout': {
        const cut = readCut(text, block, above);
        open?.cuts.push(cut);
        if (cut.kind === 'call' && above?.block?.result?.from !== cut.from) calls.push(cut.call);
        above = null;
        break;
      }
      case 'line': {
        if (above && text.slice(block.from, block.to).trim() === '' && above.blanks === 0) above.blanks++;
        else above = null;
        for (const tag of roleTagsIn(text, block.from, block.to, roleOf)) {
          if (!tag.isKnown && !isConversation) continue;
          isConversation = true;
          close(tag.boundary);
          if (tag.role === 'new-chat') newChats.push(tag.from);
          else open = { role: tag.role, tag, cuts: [] };
        }
      }
    }
  }
  close(text.length);
  return { frontMatter, turns, newChats, blocks, calls };
}

function partsOf(text: string, from: number, to: number, cuts: readonly Cut[]): TurnPart[] {
  const parts: TurnPart[] = [];
  let at = from;
  const addText = (end: number): void => {
    if (text.slice(at, end).trim() !== '') parts.push({ kind: 'text', from: at, to: end });
  };
  for (const cut of cuts) {
    addText(cut.from);
    parts.push(cut);
    at = cut.to;
  }
  addText(to);
  return parts;
}

/** Of any server; null: without a line that names a tool it is none. */
export function readToolBlock(text: string, fence: Fence): Mutable<ToolBlock> | null {
  const server = languageOf(fence.info);
  const body = readToolBody(fenceBody(text, fence) ?? '');
  if (!body) return null;
  const { from, to, closed, mark } = fence;
  const content = closed ? body : { ...body, arguments: null, error: notClosed(mark) };
  return { from, to, server, closed, ...content, result: null };
}

const notClosed = (mark: string) =>
  `The block is not closed: below its last line, a line with only ${mark} is missing.`;

/**
 * A callout as part of a turn; the result of a block run by hand is noted in its block too. A result stays one when the
 * server of its block is not here any more.
 */
function readCut(
  text: string,
  { from, to, type }: Callout,
  above: { readonly fence: Fence; readonly block: Mutable<ToolBlock> | null } | null,
): Cut {
  const callout = type === 'tool' ? readToolCallout(text.slice(from, to)) : null;
  if (!callout) return { kind: 'callout', from, to, type };
  const { form, call, result } = callout;
  const asCall = (parts: Omit<ToolCallout, 'from' | 'to' | 'form' | 'result'>): Cut => ({
    kind: 'call',
    from,
    to,
    call: { from, to, form, ...parts, result },
  });
  if (call) {
    const { closedAt: _line, ...parts } = call;
    return asCall(parts);
  }
  if (above?.block) above.block.result = { from, to, value: result };
  const block = above && (above.block ?? readToolBlock(text, above.fence));
  if (block && (above.block || (block.server !== '' && block.tool !== ''))) {
    const { server, tool, error } = block;
    return asCall({ server, tool, arguments: block.arguments ?? {}, error, body: null });
  }
  // It was seen by the model, whether or not the call still stands above.
  const server = form === 'tars-result' ? 'TARS' : 'unknown';
  return asCall({ server, tool: 'unknown', arguments: {}, error: null, body: null });
}
