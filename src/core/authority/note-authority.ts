import type { NoteAsk, NotePower } from '../../contract/chat';
import { AppError } from '../../contract/errors';
import type { PowerField } from '../../contract/front-matter-fields';
import type { NoteUpdate } from '../../contract/notes';
import { isUnder } from '../../contract/paths';
import { readFrontMatter } from '../../markdown';
import type { Agents } from '../agents';
import { type NoteSettings, powersOf, readNoteSettings, saysField, whoIs } from '../chat';
import type { Notes } from '../notes';
import type { Notices } from '../notices';
import type { Providers } from '../providers';
import type { NoteConsents } from './note-consents';
import type { NoteIdentity } from './note-identity';
import { createTypedPlaces } from './typed-places';

/** Whether what a note says gives power: only as the person typed it here, or agreed to it. */
export interface NoteAuthority {
  isAgreed(path: string, power: NotePower): boolean;
  /** An answer was asked for, without what the note wants beyond what is in force. Tells the person of that, once. */
  onAnswerRequest(path: string, ask: NoteAsk | null): void;
  /** `powers` as they were shown. Throws `request.invalid` where the note or its agent says something else by now. */
  agree(path: string, powers: readonly NotePower[]): Promise<void>;
  /** Runs what a person's own window writes, at once: what it says by the person's hand is agreed to. */
  typed<T>(
    path: string,
    updates: readonly Pick<NoteUpdate, 'changes'>[],
    write: () => Promise<T>,
  ): Promise<T>;
  /** Nothing that a note says is agreed to any more. */
  revoke(path: string): void;
  /** Nothing that was told of a note at or below the path is of a note that is there now. */
  left(path: string): void;
}

/** Front matter is read only so far while somebody types. */
const longestHead = 16_000;

/** One closure, since each way to agree also ends what is not agreed to any more. */
export function createNoteAuthority(parts: {
  readonly consents: NoteConsents;
  readonly identity: Pick<NoteIdentity, 'at' | 'name'>;
  readonly notes: Pick<Notes, 'opened' | 'hold'>;
  readonly agents: Pick<Agents, 'find'>;
  readonly providers: Pick<Providers, 'list'>;
  readonly notices: Pick<Notices, 'add' | 'withdraw'>;
}): NoteAuthority {
  const { consents, identity, notes, notices } = parts;
  const typing = createTypedPlaces(longestHead);

  const agentNamed = (name: string | null) => (name === null ? null : (whoIs(name, parts)?.agent ?? null));

  /** All that a text says, where `agent` answers; nothing where it cannot be read. */
  function powersIn(text: string, agent?: string | null): NotePower[] {
    const note = settingsIn(text);
    if (note === null) return [];
    const named = agentNamed(note.agent);
    return powersOf(note, {
      named,
      answers: agent === undefined ? named : agentNamed(agent),
      isChosen: false,
    });
  }

  const says = (text: string, power: NotePower) =>
    powersIn(text, power.field === 'approval' ? power.agent : undefined).some(
      (one) => one.field === power.field && one.agent === power.agent && one.words === power.words,
    );

  const withdraw = (isOver: (path: string) => boolean) =>
    notices.withdraw((facts) => facts.code === 'note-wants' && isOver(facts.note));

  function give(path: string, powers: readonly NotePower[]): void {
    const note = powers.length === 0 ? null : identity.name(path);
    if (note === null) return;
    for (const power of powers) consents.give(note, power);
    withdraw((note) => note === path);
  }

  /** What a note says no more is not agreed to any more: the way back is a change as well. */
  function forgetOther(path: string, text: string): void {
    const note = identity.at(path);
    if (note === null) return;
    for (const power of consents.of(note)) {
      const isThere = power.agent === null || whoIs(power.agent, parts) !== null;
      if (isThere && !says(text, power)) consents.forget(note, power);
    }
  }

  function isAgreed(path: string, power: NotePower): boolean {
    const note = identity.at(path);
    return note !== null && consents.has(note, power);
  }

  /** What `after` says by the person's hand, of what `before` did not say. */
  function typedPowers(path: string, before: string, after: string, typed: TypedHead): NotePower[] {
    const earlier = powersIn(before);
    const wasAgreed = (field: PowerField) => {
      const power = earlier.find((one) => one.field === field);
      return power !== undefined && isAgreed(path, power);
    };
    const note = settingsIn(after);
    const isOwn = (field: PowerField) => {
      if (note === null || !saysField(note, field) || wasAgreed(field)) return true;
      const entry = entryOf(after, field);
      return entry !== null && typed.isTyped(entry.from, entry.to);
    };
    return powersIn(after).filter(({ field, agent, words }) => {
      if (earlier.some((one) => one.field === field && one.agent === agent && one.words === words))
        return false;
      if (wasAgreed(field)) return !typed.isPasted;
      return partsOf(field).every(isOwn);
    });
  }

  const textOf = (path: string) => notes.opened(path)?.text() ?? '';

  return {
    isAgreed,
    onAnswerRequest(path, ask) {
      withdraw((note) => note === path);
      forgetOther(path, textOf(path));
      if (ask !== null) notices.add({ code: 'note-wants', note: path, ...ask });
    },
    async agree(path, powers) {
      const { session, release } = await notes.hold(path);
      try {
        const text = session.text();
        if (powers.every((power) => says(text, power)) && identity.name(path) !== null)
          return give(path, powers);
      } finally {
        release();
      }
      withdraw((note) => note === path);
      const what = `“${path}” says something else by now.`;
      throw new AppError('request.invalid', what, { issues: [what] });
    },
    typed(path, updates, write) {
      const session = notes.opened(path);
      const before = session?.slice(0, longestHead) ?? '';
      if (!session) return write();
      // Before anybody else's change can come in between.
      const { result, ...typed } = typing.during(session, updates, write);
      const after = session.slice(0, longestHead);
      if (headOf(before) === headOf(after) || settingsIn(after) === null) return result;
      const powers = typedPowers(path, before, after, typed);
      forgetOther(path, after);
      give(path, powers);
      return result;
    },
    revoke(path) {
      const note = identity.at(path);
      if (note !== null) consents.forgetAll(note);
    },
    left(path) {
      withdraw((note) => isUnder(note, path));
      typing.forget((note) => isUnder(note, path));
    },
  };
}

type TypedHead = { readonly isPasted: boolean; isTyped(from: number, to: number): boolean };

/** What a power is made of: that tools run without a yes is worth which tools, and whose. */
const partsOf = (field: PowerField): readonly PowerField[] =>
  field === 'approval' ? ['approval', 'agent', 'tools'] : [field];

function settingsIn(text: string): NoteSettings | null {
  try {
    return readFrontMatter(text)?.problem ? null : readNoteSettings(text);
  } catch {
    return null;
  }
}

function headOf(text: string): string {
  const head = readFrontMatter(text);
  return head === null ? '' : text.slice(head.from, head.to);
}

/** Where the value of a field stands, as it is usually written; null: there is none to be seen. */
function entryOf(text: string, field: PowerField): { from: number; to: number } | null {
  const head = headOf(text);
  const entry = new RegExp(`^${field}:(.*(?:\\n(?:[ \\t]|- ).*)*)`, 'm').exec(head);
  const value = entry?.[1] ?? '';
  if (!entry || value.trim() === '') return null;
  const start = text.indexOf(head) + entry.index + entry[0].length - value.length;
  const from = start + value.length - value.trimStart().length;
  return { from, to: start + value.trimEnd().length };
}
