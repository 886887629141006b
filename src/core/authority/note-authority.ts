import { AppError } from '../../contract/errors';
import { isUnder } from '../../contract/paths';
import { readFrontMatter } from '../../markdown';
import type { Agents } from '../agents';
import { type NoteConsents, type NotePower, notePower, readNoteSettings, whoIs } from '../chat';
import type { Notes } from '../notes';
import type { Notices } from '../notices';
import type { Providers } from '../providers';
import type { NoteIdentity } from './note-identity';

/** Whether a note may let tools run without a yes: only as the person typed it here, or agreed to it. */
export interface NoteAuthority {
  isAgreed(path: string, power: NotePower): boolean;
  /** An answer was asked for that would run on `power`. Tells the person of what they have not agreed to, once. */
  asked(path: string, power: NotePower | null): void;
  /** `power` as it was shown. Throws `request.invalid` where the note or its agent says something else by now. */
  agree(path: string, power: NotePower): Promise<void>;
  /** Runs what a person's own window writes, at once: what a note allows by it and did not before is agreed to. */
  typed<T>(path: string, write: () => Promise<T>): Promise<T>;
  /** A note’s power is not agreed to any more. */
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

  const agentNamed = (name: string | null) => (name === null ? null : (whoIs(name, parts)?.agent ?? null));

  function powerIn(text: string, agent: string | null): NotePower | null {
    try {
      return notePower(readNoteSettings(text), agentNamed(agent), false);
    } catch {
      return null;
    }
  }

  function headPower(head: string): NotePower | null {
    try {
      return powerIn(head, readNoteSettings(head).agent);
    } catch {
      return null;
    }
  }

  const withdraw = (isOver: (path: string) => boolean) =>
    notices.withdraw((facts) => facts.code === 'note-allows' && isOver(facts.note));

  function give(path: string, power: NotePower): void {
    const note = identity.name(path);
    if (note === null) return;
    consents.give(note, power);
    withdraw((note) => note === path);
  }

  /** What a note says no more is not agreed to any more: the way back is a change as well. */
  function forgetOther(path: string, text: string): void {
    const note = identity.at(path);
    if (note === null) return;
    for (const { agent, words } of consents.of(note)) {
      const isThere = agent === null || agentNamed(agent) !== null;
      if (isThere && powerIn(text, agent)?.words !== words) consents.forget(note, agent);
    }
  }

  function isAgreed(path: string, power: NotePower): boolean {
    const note = identity.at(path);
    return note !== null && consents.has(note, power);
  }

  const textOf = (path: string) => notes.opened(path)?.text() ?? '';
  const headOf = (path: string) => notes.opened(path)?.slice(0, longestHead) ?? '';

  return {
    isAgreed,
    asked(path, power) {
      withdraw((note) => note === path);
      forgetOther(path, textOf(path));
      if (power !== null && !isAgreed(path, power))
        notices.add({ code: 'note-allows', note: path, agent: power.agent, words: power.words });
    },
    async agree(path, power) {
      const { session, release } = await notes.hold(path);
      try {
        if (powerIn(session.text(), power.agent)?.words === power.words && identity.name(path) !== null)
          return give(path, power);
      } finally {
        release();
      }
      withdraw((note) => note === path);
      const what = `“${path}” says something else by now.`;
      throw new AppError('request.invalid', what, { issues: [what] });
    },
    typed(path, write) {
      const before = headOf(path);
      const result = write();
      // Before anybody else's change can come in between.
      const after = headOf(path);
      if (before === after || isUnreadable(after)) return result;
      const power = headPower(after);
      const powerBefore = headPower(before);
      if (power?.words === powerBefore?.words) return result;
      const wasAgreed = powerBefore === null || isAgreed(path, powerBefore);
      forgetOther(path, after);
      if (power !== null && wasAgreed && insertsPower(before, after)) give(path, power);
      return result;
    },
    revoke(path) {
      const note = identity.at(path);
      if (note !== null) consents.forgetAll(note);
    },
    left: (path) => withdraw((note) => isUnder(note, path)),
  };
}

const isUnreadable = (text: string) => (readFrontMatter(text)?.problem ?? null) !== null;

/**
 * Whether what was put in is of the value of `approval` or `agent`, in front matter that could be read before and after.
 * Whole lines that come at once were written elsewhere.
 */
function insertsPower(textBefore: string, textAfter: string): boolean {
  const before = readableHead(textBefore);
  const after = readableHead(textAfter);
  if (before === null || after === null) return false;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let sameEnd = 0;
  while (sameEnd < shorter - from && before.at(-1 - sameEnd) === after.at(-1 - sameEnd)) sameEnd++;
  const to = after.length - sameEnd;
  if (after.slice(from, to).trim().includes('\n')) return false;
  return [...after.matchAll(/^(?:approval|agent):(.*)$/gm)].some(({ index, 0: line, 1: value = '' }) => {
    const end = index + line.length;
    return /\p{L}/u.test(after.slice(Math.max(from, end - value.length), Math.min(to, end)));
  });
}

function readableHead(text: string): string | null {
  const head = readFrontMatter(text);
  return head === null || head.problem !== null ? null : text.slice(head.from, head.to);
}
