import type { NoteAsk, NotePower } from '../../../contract/chat';
import type { PowerField } from '../../../contract/front-matter-fields';
import type { Turn } from '../../../markdown';
import type { Agents } from '../../agents';
import type { Providers } from '../../providers';
import type { SettingsStore } from '../../settings';
import type { RunRequest } from '../note/run-request';
import { type Answerer, findAnswerer, whoIs } from './answerer';
import { powersOf, wideningsOf, withoutFields } from './note-power';
import type { NoteSettings } from './note-settings';

/** Who answers and how, by what of the note the person wrote here or agreed to. */
export interface InForce {
  readonly answerer: Answerer;
  /** By all that the note says. */
  readonly proposal: Answerer;
  /** What the note says, agreed to or not. */
  readonly powers: readonly NotePower[];
}

type Wish = Pick<RunRequest, 'path' | 'agent' | 'model' | 'provider' | 'tools'> & {
  readonly tag: string | null;
  /** The person chose whom to ask, for this question. */
  readonly isChosen: boolean;
};

interface InForceParts {
  readonly providers: Providers;
  readonly agents: Pick<Agents, 'find' | 'list'>;
  readonly settings: Pick<SettingsStore, 'current'>;
  readonly isAgreed: (path: string, power: NotePower) => boolean;
}

/** Throws what `findAnswerer` throws. */
export async function findInForce(
  wish: Wish,
  note: NoteSettings,
  turns: { readonly before: readonly Turn[]; readonly all: readonly Turn[] },
  parts: InForceParts,
): Promise<InForce> {
  const general = parts.settings.current.get().tools.approval;
  const proposal = await findAnswerer(wish, note, turns, parts);
  const named = note.agent === null ? null : (whoIs(note.agent, parts)?.agent ?? null);
  const powers = powersOf(note, { answers: proposal.agent, named, isChosen: wish.isChosen });
  const isGiven = (power: NotePower) => parts.isAgreed(wish.path, power);
  // Where its tools may run unasked, all of the agent was agreed to.
  const isWithAgent = ({ agent }: NotePower) =>
    powers.some((power) => power.field === 'approval' && power.agent === agent && isGiven(power));
  const open = powers.filter((power) => !isGiven(power) && !(power.field === 'agent' && isWithAgent(power)));
  if (open.length === 0) return { answerer: proposal, proposal, powers };

  /** As it would be without what these fields say; an agent keeps what it may only as the person chose it for that. */
  async function without(fields: ReadonlySet<PowerField>): Promise<Answerer> {
    const rest = withoutFields(note, fields);
    const answerer = await findAnswerer(wish, rest, turns, parts);
    const isOwn = wish.isChosen && rest.tools === null;
    const isHeld = fields.has('approval') && answerer.approval === 'allow' && !isOwn;
    return isHeld ? { ...answerer, approval: null } : answerer;
  }

  const fields = inOrder.filter((field) => open.some((power) => power.field === field));
  // Where nobody would answer without what the note says, all of it goes beyond that.
  const base = await without(new Set(fields)).catch(() => null);
  const goesBeyond = (answerer: Answerer) => wideningsOf(answerer, base, general).length > 0;
  if (!goesBeyond(proposal)) return { answerer: proposal, proposal, powers };

  const held = new Set(fields);
  for (const field of fields) {
    held.delete(field);
    if (base === null || goesBeyond(await without(held))) held.add(field);
  }
  const answerer = await without(held);
  const ask: NoteAsk = {
    powers: open.filter(({ field }) => held.has(field)),
    changes: wideningsOf(proposal, answerer, general),
  };
  return { answerer: { ...answerer, ask }, proposal, powers };
}

/** What only bounds an answer is tried first, then who gives it. */
const inOrder: readonly PowerField[] = [
  ...(['tools', 'max_tokens', 'reasoning', 'parameters', 'web_search'] as const),
  ...(['approval', 'model', 'agent'] as const),
];
