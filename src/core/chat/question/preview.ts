import type { WritingTool } from '../../../contract/chat';
import { isAppError } from '../../../contract/errors';
import type { ResourceLink } from '../../../markdown';
import type { Clock } from '../../foundation';
import type { NoteSession } from '../../notes';
import type { NoteReading } from '../note/note-reading';
import { type AskParts, prepareQuestion, readQuestion } from './question';
import type { ResourceShelf } from './resources';
import { weightOf } from './trim';

/** What an answer would send, and what it would cost. */
export interface ChatPreview {
  readonly provider: string | null;
  readonly model: string | null;
  readonly turns: number;
  readonly estimatedTokens: number;
  readonly toolTokens: number;
  readonly tools: number;
  readonly contextWindow: number | null;
  readonly estimatedCost: number | null;
  readonly expanded: { target: string; server: string | null; characters: number; tokens: number }[];
  readonly toolTurns: { tools: WritingTool[]; isWhole: boolean }[];
  readonly attachments: { target: string; mediaType: string; bytes: number }[];
  readonly warnings: string[];
  /** Of the warnings: what was to go along and this model does not take. */
  readonly unsent: string[];
}

/** Where nothing can be sent, the reason is the only warning. */
export async function previewQuestion(
  session: NoteSession,
  { path, at, version, tag }: { path: string; at: number; version: number; tag?: string },
  parts: AskParts & { readonly reading: NoteReading; readonly shelf: ResourceShelf; readonly clock: Clock },
  signal: AbortSignal,
): Promise<ChatPreview> {
  try {
    const text = session.text();
    const place = Math.min(text.length, session.mapFrom(version, at, 1));
    const request = { path, ...(tag !== undefined && { tag }) };
    const question = await readQuestion(text, parts.reading.parse(text, [tag]), place, request, parts);
    const date = new Date(parts.clock.now());
    const resource = (link: ResourceLink) => parts.shelf.glance(link, signal);
    const prepared = await prepareQuestion(question, { path, date, resource }, parts);
    const toolTokens = question.offered.reduce((sum, entry) => sum + entry.tokens, 0);
    const tokens = toolTokens + weightOf(prepared.messages);
    const { provider } = question.answerer;
    return {
      provider: provider.label,
      model: provider.model,
      turns: question.place.turns.length,
      estimatedTokens: tokens,
      toolTokens,
      tools: question.offered.length,
      contextWindow: provider.contextWindow,
      estimatedCost: provider.cost({ inputTokens: tokens, outputTokens: 0 }),
      expanded: prepared.expanded,
      toolTurns: prepared.toolTurns.map(({ tools, isWhole }) => ({ tools: [...tools], isWhole })),
      attachments: prepared.attached,
      warnings: [...question.warnings, ...prepared.warnings],
      unsent: prepared.unsent,
    };
  } catch (error) {
    if (
      isAppError(
        error,
        'chat.nothing-to-answer',
        'chat.changes-below',
        'chat.no-provider',
        'settings.tag-taken',
      )
    )
      return nothing(error.message);
    throw error;
  }
}

function nothing(warning: string): ChatPreview {
  return {
    provider: null,
    model: null,
    turns: 0,
    estimatedTokens: 0,
    toolTokens: 0,
    tools: 0,
    contextWindow: null,
    estimatedCost: null,
    expanded: [],
    toolTurns: [],
    attachments: [],
    warnings: [warning],
    unsent: [],
  };
}
