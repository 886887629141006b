import { AppError } from '../../../contract/errors';
import {
  blockAt,
  type Conversation,
  calloutHead,
  printBlockResult,
  printToolCall,
  reprintToolBlock,
  splitCallout,
  staysBelow,
  type TagNames,
  type ToolBlock,
  type ToolCallout,
  type ToolResult,
} from '../../../markdown';
import type { NoteSession } from '../../notes';
import type { CallStep } from '../../tools';
import { callIdOf, withCallId } from '../note/call-id';
import { earlierResults } from '../note/earlier-results';
import { changesBelow } from '../note/failures';
import { holdStretch } from '../note/stretch';
import { cardReads, type WrittenWords } from '../note/written-words';
import { askedResult, type CallParts, runningResult, runningTask, toolResult } from './calls';

/** A call in a note that a person makes: of a block of their own, or once more one that a model made. */
export interface WrittenCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Of a model's call: those of the same turn were made in parallel. */
  readonly turn: number | null;
  /** Where its result stands already. */
  readonly result: { readonly from: number; readonly to: number } | null;
  /** The person's own block, below which its result stands; null: the call stands in its result. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** `args`: as they were approved. */
  print(result: ToolResult, args: WrittenCall['arguments']): string;
}

/** The call at a place, in its block or in its result; throws where there is none or it cannot be made. */
export function writtenCall(conversation: Conversation, at: number): WrittenCall {
  const block = blockAt(conversation, at) ?? conversation.blocks.find(({ result }) => holds(result, at));
  if (block) return ofBlock(block);
  const callout = conversation.calls.find((call) => holds(call, at));
  if (callout) return ofCallout(callout);
  throw new AppError('request.invalid', 'There is no tool block here.', { issues: ['no tool block'] });
}

const holds = (range: { readonly from: number; readonly to: number } | null, at: number) =>
  range !== null && range.from <= at && at <= range.to;

/** Throws where the call is not the one that the person was shown, whoever has read or changed the note since. */
export function refuseOther(call: WrittenCall, card: Shown): void {
  if (wordsOf(call) === wordsOf(card)) return;
  throw new AppError(
    'request.invalid',
    'What stands in the note here is not the call that was shown, so it was not made. Look at it and run it again.',
    { issues: ['not the call that was shown'] },
  );
}

type Shown = Pick<WrittenCall, 'server' | 'tool' | 'arguments'>;

const wordsOf = ({ server, tool, arguments: args }: Shown) => JSON.stringify([server, tool, args]);

function ofBlock({ server, tool, arguments: args, error, result, from, to }: ToolBlock): WrittenCall {
  if (!args || error !== null) throw unreadable(tool, error);
  if (result?.value.state === 'running') throw runningAlready();
  const print = (next: ToolResult) => printBlockResult(server, tool, next);
  return { server, tool, arguments: args, turn: null, result, block: { from, to }, print };
}

function ofCallout({
  server,
  tool,
  arguments: args,
  error,
  body,
  result,
  from,
  to,
}: ToolCallout): WrittenCall {
  if (error !== null) throw unreadable(tool, error);
  if (result.state === 'running') throw runningAlready();
  const print: WrittenCall['print'] = (next, approved) =>
    printToolCall({ server, tool, arguments: approved, body, result: withCallId(next, callIdOf(result)) });
  return { server, tool, arguments: args, turn: result.turn, result: { from, to }, block: null, print };
}

function unreadable(tool: string, error: string | null): AppError {
  const issues = [error ?? 'not a YAML mapping'];
  return new AppError('tool.invalid-arguments', `The block cannot be read: ${issues.join('; ')}`, {
    tool,
    issues,
  });
}

function runningAlready(): AppError {
  return new AppError('request.invalid', 'This block is being run already.', {
    issues: ['already running'],
  });
}

/** In one of its own nothing of it becomes a turn, a call or something to send. */
function asCallout(quote: string): string {
  const head = calloutHead(quote);
  return head && head.type !== 'tool' ? quote : `> [!note]\n${quote}`;
}

/** No quote is indented by more. */
const longestIndent = 100;

type Anchor = ReturnType<NoteSession['anchor']>;

/** Where calls are under way, whatever stands there while the person is asked. */
const underWay = new WeakMap<NoteSession, Set<Anchor>>();

function enter(session: NoteSession, place: Anchor): () => void {
  const places = underWay.get(session) ?? new Set();
  underWay.set(session, places.add(place));
  return () => void places.delete(place);
}

/** Throws where a call waits for the person's answer in this place already. */
export function refuseTwice(session: NoteSession, { result }: WrittenCall): void {
  const places = [...(underWay.get(session) ?? [])];
  if (result && places.some((place) => place.position() === result.from)) throw runningAlready();
}

/** Throws where a new result would change how what stands below the block is read. */
export function refuseChange(session: NoteSession, { result, block }: WrittenCall): void {
  if (!result && block && !staysBelow(session.text(), block.to, 'block')) throw changesBelow(session.path);
  // What is moved out of a callout in a list may end the list.
  if (!result || splitCallout(session.slice(result.from, result.to)).others === '') return;
  const above = session.slice(0, result.from);
  const line = above.slice(above.lastIndexOf('\n') + 1) + session.slice(result.from, result.from + 1);
  if (line !== '>') throw changesBelow(session.path);
}

/** A person's block, to be written as the call was made in the end, unless they have changed it themselves meanwhile. */
function holdBlock(
  session: NoteSession,
  call: WrittenCall,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const start = session.anchor(from, 1);
  const end = session.anchor(to, -1);
  const text = session.slice(from, to);
  const above = session.slice(0, from);
  // A list's mark takes as many columns as its blanks would.
  const indent = above.slice(above.lastIndexOf('\n') + 1).replace(/[^\t]/g, ' ');
  return {
    write(hand: string, args: WrittenCall['arguments']): void {
      if (JSON.stringify(args) === JSON.stringify(call.arguments)) return;
      if (session.slice(start.position(), end.position()) !== text) return;
      const insert = reprintToolBlock(text, indent, call, args);
      session.edit(hand, { from: start.position(), to: end.position(), insert });
    },
    release() {
      start.release();
      end.release();
    },
  };
}

/**
 * Makes a call by hand. Its result stands directly below a block, or in the callout of a model's call; an older one makes place once
 * the call is made. One function, since each step of the call decides what is written at the next.
 */
export async function runWritten(
  target: WrittenCall,
  call: {
    readonly session: NoteSession;
    readonly conversation: Conversation;
    readonly tags: TagNames;
    /** Also the hand that writes. */
    readonly callId: string;
    readonly signal: AbortSignal;
    readonly onStep: (step: CallStep) => void;
    /** It was not made, and its older result stands as it was. */
    readonly onRefused: (reason: string) => void;
  },
  parts: CallParts & { readonly writtenWords: Pick<WrittenWords, 'keep' | 'of'> },
): Promise<void> {
  const { session, callId } = call;
  const { server, tool, turn } = target;
  let args = target.arguments;
  const print = (result: ToolResult) => target.print(result, args);
  const entry = parts.tools.find(server, tool);

  const { result: old, block } = target;
  const from = old?.from ?? block?.to ?? 0;
  const lead = old ? '' : '\n\n';
  const { own: oldText, others } = splitCallout(old ? session.slice(from, old.to) : '');
  const carried = block ? [] : cardReads(parts.writtenWords.of(session.path, session.text()), oldText);
  const below = others && `\n\n${asCallout(others)}`;
  // An older result makes place only when the call is made; what somebody wrote into it stands below it from now on.
  const first = old ? oldText : print(runningResult(turn));
  const to = old ? old.to : from;
  const insert = lead + first + below;
  // A quote directly below would belong to the result's callout, and go with it when the result makes place.
  const isQuoted = !old && /^\n[ \t]*>/.test(session.slice(from, from + longestIndent));
  if (!old || others !== '') session.edit(callId, { from, to, insert: insert + (isQuoted ? '\n' : '') });
  const start = session.anchor(from + lead.length, 1);
  const stretch = holdStretch({
    session,
    hand: callId,
    tags: call.tags,
    from: from + lead.length,
    written: first,
  });
  const own = block && holdBlock(session, target, block);
  const leave = enter(session, start);
  let isAsked = false;
  let isMade = false;
  const write = (result: ToolResult) => stretch.replace(print(result));
  try {
    const outcome = await parts.tools.run(
      {
        callId,
        runId: null,
        path: session.path,
        by: 'person',
        serverId: entry?.serverId ?? server,
        tool,
        arguments: args,
        unattended: null,
        // Whoever runs a call again wants to know what is true now.
        earlier: old ? [] : earlierResults(call.conversation),
        keepsTask: true,
      },
      call.signal,
      (step) => {
        if (step.kind === 'asked') {
          isAsked = true;
          if (!old) write(askedResult(turn, parts.clock.now()));
        }
        if (step.kind === 'task') write(runningTask(turn, callId));
        if (step.kind === 'running') {
          isMade = true;
          args = step.arguments;
          // As the person who allowed it has changed them.
          own?.write(callId, args);
          if (isAsked || print(runningResult(turn)) !== first) write(runningResult(turn));
        }
        call.onStep(step);
      },
    );
    if (outcome.status === 'interrupted') return;
    // What stands there is no result of arguments that do not fit; any other refusal leaves it as it was.
    if (old && !isMade && outcome.status !== 'ok' && !outcome.badArguments) {
      // Who denies or stops a call knows it.
      const isOwnWord = outcome.status === 'cancelled' || (isAsked && outcome.status === 'denied');
      if (!isOwnWord)
        call.onRefused(outcome.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'));
      return;
    }
    const result = await toolResult(outcome, tool, turn, parts);
    write(result);
    parts.writtenWords.keep(session.path, { cards: [print(result)], carried });
    parts.tools.forgetTask(callId);
  } finally {
    leave();
    own?.release();
    start.release();
    stretch.release();
  }
}
