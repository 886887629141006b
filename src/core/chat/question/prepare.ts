import {
  type Conversation,
  findLinks,
  findResourceLinks,
  type NoteLink,
  type ResourceLink,
  type ToolTurn,
  type Turn,
  turnsOfTools,
  wordsWithin,
} from '../../../markdown';
import type { NeutralMessage } from '../../providers';
import { namesOneCall } from '../note/call-id';
import { textOfParts } from '../note/note-parts';
import { type Expanded, expandLinks, type Reader, readAttachment } from './embeds';
import { replayTurn } from './replay';
import type { ResourceResult } from './resources';

export interface Prepared {
  readonly messages: NeutralMessage[];
  readonly expanded: Expanded['expanded'];
  readonly attached: Expanded['attached'];
  readonly brought: Expanded['brought'];
  /** Turns in the person’s name that tools wrote. */
  readonly toolTurns: readonly ToolTurn[];
  readonly warnings: string[];
  /** What of the message that is asked now this model does not take. */
  readonly unsent: string[];
}

/** The turns of a conversation as messages in nobody's format. */
export async function prepareMessages(
  conversation: Conversation,
  text: string,
  turns: readonly Turn[],
  from: {
    readonly path: string;
    readonly reader: Omit<Reader, 'resource'>;
    /** `isAsked`: in the message that is to be answered, not in an earlier one. */
    readonly resource: (link: ResourceLink, isAsked: boolean) => Promise<ResourceResult>;
    /** The tool that wrote a line of the note; null: none that is known. */
    readonly toolOf: (line: string) => { readonly server: string; readonly tool: string } | null;
    readonly modelName: (server: string, tool: string) => string;
    /** Texts that stand before the conversation, such as an agent's instructions. */
    readonly system: readonly string[];
    /** Stands there only where the conversation begins with no system message of its own. */
    readonly defaultSystem: string;
  },
): Promise<Prepared> {
  const { path, reader } = from;
  const callIds = new Set<string>();
  /** The provider's own where the note has one that is no other call's; else one that is the same every time. */
  const newCallId = (previousId: string | null) => {
    let id = previousId !== null && namesOneCall(previousId) ? previousId : null;
    for (let number = callIds.size + 1; id === null || callIds.has(id); number++) id = `call_${number}`;
    callIds.add(id);
    return id;
  };
  const picture = (target: string) =>
    reader.accepts.images ? readAttachment(target, reader.vault) : Promise.resolve(null);

  const first = turns[0]?.role === 'system' ? [] : [from.defaultSystem];
  const system = [...first, ...from.system].map((part) => part.trim()).filter((part) => part !== '');
  const toolTurns = turnsOfTools(text, turns, from.toolOf);
  const prepared: Prepared = {
    ...{ messages: [], expanded: [], attached: [], brought: [], warnings: [], unsent: [] },
    toolTurns,
  };
  if (system.length > 0) prepared.messages.push({ role: 'system', text: system.join('\n\n') });

  // Found in the whole note, as they are drawn: a part of it by itself may read as code what is none.
  const links = [...findLinks(text), ...findResourceLinks(text)].sort((a, b) => a.from - b.from);
  const { ofTools, own } = partedByHand(text, links, from.toolOf);
  const spoken = turns.filter(({ role }) => role !== 'assistant');
  for (const turn of spoken)
    for (const link of linksWithin(ofTools, turn.from, turn.to))
      prepared.warnings.push(
        `${text.slice(turn.from + link.from, turn.from + link.to)} was written by a tool and is sent as written.`,
      );
  const texts = await Promise.all(
    turns.map((turn) => {
      if (turn.role === 'assistant') return null;
      const resource = (link: ResourceLink) => from.resource(link, turn === turns.at(-1));
      return expandTurn(writtenPieces(conversation, text, turn, own), path, { ...reader, resource });
    }),
  );
  for (const [index, turn] of turns.entries()) {
    const embedded = texts[index];
    if (!embedded) {
      prepared.messages.push(
        ...(await replayTurn(text, turn, { newCallId, modelName: from.modelName, picture })),
      );
      continue;
    }
    for (const one of embedded.expanded) prepared.expanded.push(one);
    for (const one of embedded.attached) prepared.attached.push(one);
    for (const one of embedded.brought) prepared.brought.push(one);
    for (const one of embedded.warnings) prepared.warnings.push(one);
    if (turn === turns.at(-1)) for (const one of embedded.unsent) prepared.unsent.push(one);
    if (turn.role === 'user' && (embedded.text !== '' || embedded.attachments.length > 0)) {
      prepared.messages.push({ role: 'user', text: embedded.text, attachments: embedded.attachments });
    } else if (turn.role === 'system' && embedded.text !== '') {
      prepared.messages.push({ role: 'system', text: embedded.text });
    }
  }
  return prepared;
}

/** Links in order that stand on lines of tools, and the rest: only the person brings in what their vault and their servers have. */
function partedByHand<Link extends NoteLink | ResourceLink>(
  text: string,
  links: readonly Link[],
  toolOf: (line: string) => unknown,
): { readonly ofTools: Link[]; readonly own: Link[] } {
  const parted = { ofTools: [] as Link[], own: [] as Link[] };
  let end = -1;
  let isTools = false;
  for (const link of links) {
    if (link.from > end) {
      const start = text.lastIndexOf('\n', link.from - 1) + 1;
      const next = text.indexOf('\n', link.from);
      end = next === -1 ? text.length : next;
      isTools = toolOf(text.slice(start, end)) !== null;
    }
    (isTools ? parted.ofTools : parted.own).push(link);
  }
  return parted;
}

interface Piece {
  readonly text: string;
  /** With offsets in it. Only what the person wrote may bring in notes and resources: a result that links to one does not. */
  readonly links: readonly (NoteLink | ResourceLink)[];
}

async function expandTurn(pieces: readonly Piece[], path: string, reader: Reader): Promise<Expanded> {
  const results = await Promise.all(pieces.map(({ text, links }) => expandLinks(text, links, path, reader)));
  return {
    text: results
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    attachments: results.flatMap(({ attachments }) => attachments),
    expanded: results.flatMap(({ expanded }) => expanded),
    attached: results.flatMap(({ attached }) => attached),
    brought: results.flatMap(({ brought }) => brought),
    warnings: results.flatMap(({ warnings }) => warnings),
    unsent: results.flatMap(({ unsent }) => unsent),
  };
}

/** What a person wrote, without callouts; the result of a block run by hand stands below its block, as text. */
function writtenPieces(
  conversation: Conversation,
  note: string,
  turn: Turn,
  links: readonly (NoteLink | ResourceLink)[],
): Piece[] {
  return turn.parts.flatMap((part): Piece[] => {
    if (part.kind === 'text') {
      const [from, to] = wordsWithin(note, part);
      return [{ text: note.slice(from, to), links: linksWithin(links, from, to) }];
    }
    if (part.kind === 'call') {
      const { server, tool, result } = part.call;
      return [{ text: resultAsText(server, tool, textOfParts(result.parts)), links: [] }];
    }
    const block = conversation.blocks.find((one) => one.result?.from === part.from);
    if (!block?.result) return [];
    const resultText = textOfParts(block.result.value.parts);
    return [{ text: resultAsText(block.server, block.tool, resultText), links: [] }];
  });
}

/** Of links in order; with offsets from `from` on. */
function linksWithin<Link extends NoteLink | ResourceLink>(
  links: readonly Link[],
  from: number,
  to: number,
): Link[] {
  let low = 0;
  for (let high = links.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((links[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const within: Link[] = [];
  for (let link = links[low]; link && link.to <= to; link = links[++low])
    within.push({ ...link, from: link.from - from, to: link.to - from });
  return within;
}

function resultAsText(server: string, tool: string, text: string): string {
  return text === '' ? '' : `Result of ${server} · ${tool}:\n${text}`;
}
