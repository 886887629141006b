import type { Conversation, Turn } from '../../markdown';
import type { NeutralMessage } from '../providers';
import { type Expanded, expandLinks, type Reader, readAttachment } from './embeds';
import { textOfParts } from './note-parts';
import { replayTurn, unframed } from './replay';

export interface Prepared {
  readonly messages: NeutralMessage[];
  readonly expanded: Expanded['expanded'];
  readonly attached: Expanded['attached'];
  readonly warnings: string[];
}

/** The turns of a conversation as messages in nobody's format. */
export async function prepareMessages(
  conversation: Conversation,
  text: string,
  turns: readonly Turn[],
  from: {
    readonly path: string;
    readonly reader: Reader;
    readonly modelName: (server: string, tool: string) => string;
    /** Texts that stand before the conversation, such as an agent's instructions. */
    readonly system: readonly string[];
    /** Stands there only where the conversation begins with no system message of its own. */
    readonly defaultSystem: string;
  },
): Promise<Prepared> {
  const { path, reader } = from;
  let calls = 0;
  const newCallId = () => `call_${++calls}`;
  const picture = (target: string) =>
    reader.accepts.images ? readAttachment(target, reader.vault) : Promise.resolve(null);

  const first = turns[0]?.role === 'system' ? [] : [from.defaultSystem];
  const system = [...first, ...from.system].map((part) => part.trim()).filter((part) => part !== '');
  const prepared: Prepared = { messages: [], expanded: [], attached: [], warnings: [] };
  if (system.length > 0) prepared.messages.push({ role: 'system', text: system.join('\n\n') });

  const read = await Promise.all(
    turns.map((turn) =>
      turn.role === 'assistant' ? null : expandLinks(writtenText(conversation, text, turn), path, reader),
    ),
  );
  for (const [index, turn] of turns.entries()) {
    const said = read[index];
    if (!said) {
      prepared.messages.push(
        ...(await replayTurn(text, turn, { newCallId, modelName: from.modelName, picture })),
      );
      continue;
    }
    prepared.expanded.push(...said.expanded);
    prepared.attached.push(...said.attached);
    prepared.warnings.push(...said.warnings);
    if (turn.role === 'user' && (said.text !== '' || said.attachments.length > 0)) {
      prepared.messages.push({ role: 'user', text: said.text, attachments: said.attachments });
    } else if (turn.role === 'system' && said.text !== '') {
      prepared.messages.push({ role: 'system', text: said.text });
    }
  }
  return prepared;
}

/** What a person wrote, without callouts; the result of a block run by hand stands below its block, as text. */
function writtenText(conversation: Conversation, text: string, turn: Turn): string {
  const pieces: string[] = [];
  for (const part of turn.parts) {
    if (part.kind === 'text') {
      pieces.push(unframed(text.slice(part.from, part.to)));
      continue;
    }
    if (part.kind === 'call') {
      const { server, tool, result } = part.call;
      pieces.push(resultAsText(server, tool, textOfParts(result.parts)));
      continue;
    }
    const block = conversation.blocks.find((one) => one.result?.from === part.from);
    if (block?.result)
      pieces.push(resultAsText(block.server, block.tool, textOfParts(block.result.value.parts)));
  }
  return pieces.filter((piece) => piece !== '').join('\n\n');
}

function resultAsText(server: string, tool: string, text: string): string {
  return text === '' ? '' : `Result of ${server} · ${tool}:\n${text}`;
}
