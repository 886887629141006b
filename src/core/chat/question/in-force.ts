import type { NoteAsk, NotePower } from '../../../contract/chat';
import type { PowerField } from '../../../contract/front-matter-fields';
import type { Turn } from '../../../markdown';
import type { Agents } from '../../agents';
import type { Providers } from '../../providers';
import type { SettingsStore } from '../../settings';
import type { RunRequest } from '../note/run-request';
import { type Answerer, findAnswerer, whoIs } from './answerer';
import { powersOf, type Widening, wideningsOf, withoutFields } from './note-power';
import type { NoteSettings } from './note-settings';

/** Who answers and how, by what of the note the person wrote here or agreed to. */
export interface InForce {
  readonly answerer: Answerer;
  /** By all that the note says. */
  readonly wanted: Answerer;
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
  const wanted = await findAnswerer(wish, note, turns, parts);
  const named = note.agent === null ? null : (whoIs(note.agent, parts)?.agent ?? null);
  const powers = powersOf(note, { answers: wanted.agent, named, isChosen: wish.isChosen });
  const isGiven = (power: NotePower) => parts.isAgreed(wish.path, power);
  // Where its tools may run unasked, all of the agent was agreed to.
  const isWithAgent = ({ agent }: NotePower) =>
    powers.some((power) => power.field === 'approval' && power.agent === agent && isGiven(power));
  const open = powers.filter((power) => !isGiven(power) && !(power.field === 'agent' && isWithAgent(power)));
  if (open.length === 0) return { answerer: wanted, wanted, powers };

  /** As it would be without what these fields say; an agent keeps what it may only as the person chose it for that. */
  async function without(fields: ReadonlySet<PowerField>): Promise<Answerer> {
    const rest = withoutFields(note, fields);
    const answerer = await findAnswerer(wish, rest, turns, parts);
    const isOwn = wish.isChosen && rest.tools === null;
    const isHeld = fields.has('approval') && answerer.approval === 'allow' && !isOwn;
    return isHeld ? { ...answerer, approval: null } : answerer;
  }

  const openFields = new Set(open.map(({ field }) => field));
  const base = await without(openFields).catch(() => null);
  const held = new Set<PowerField>();
  let answerer = wanted;
  for (;;) {
    const more = wideningsOf(withoutFields(note, held), answerer, base, general);
    const fields = more.flatMap((widening) => openOf(widening, openFields, held));
    if (fields.length === 0) break;
    for (const field of fields) held.add(field);
    answerer = await without(held);
  }
  const widenings = wideningsOf(note, wanted, held.size === 0 ? wanted : answerer, general);
  const asks: NoteAsk[] = open
    .filter(({ field }) => held.has(field))
    .map((power) => ({
      ...power,
      changes: widenings
        .filter(({ by }) => by.includes(power.field))
        .map(({ what, now, wants }) => ({ what, now, wants })),
    }));
  return { answerer: { ...answerer, asks }, wanted, powers };
}

/** The fields that make a difference and are not agreed to; where it cannot be told which, all of them. */
function openOf(
  { by }: Widening,
  open: ReadonlySet<PowerField>,
  held: ReadonlySet<PowerField>,
): PowerField[] {
  const mine = by.filter((field) => open.has(field));
  return (mine.length > 0 ? mine : [...open]).filter((field) => !held.has(field));
}
