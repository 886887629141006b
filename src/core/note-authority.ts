import { AppError } from '../contract/errors';
import { readFrontMatter } from '../markdown';
import type { Agents } from './agents';
import { agentNamed, type NoteConsents, notePower, readNoteSettings, tagIn } from './chat';
import type { Notes } from './notes';
import type { Notices } from './notices';
import type { Vault } from './vault';

/** Whether a note may let tools run without a yes: only as the person typed it here, or agreed to it. */
export interface NoteAuthority {
  isAgreed(path: string, power: string): boolean;
  /** Tells the person, once. */
  ask(path: string, power: string): void;
  /** `power` as it was shown. Throws `request.invalid` where the note says something else by now. */
  agree(path: string, power: string): Promise<void>;
  /** Runs what a person's own window writes: what a note allows by it and did not before is agreed to. */
  typed<T>(path: string, write: () => Promise<T>): Promise<T>;
}

/** Front matter is read only so far while somebody types. */
const longestHead = 16_000;

export function createNoteAuthority(parts: {
  readonly consents: NoteConsents;
  readonly vault: Pick<Vault, 'root'>;
  readonly notes: Pick<Notes, 'opened' | 'hold'>;
  readonly agents: Pick<Agents, 'find'>;
  readonly notices: Pick<Notices, 'add' | 'withdraw'>;
}): NoteAuthority {
  const { consents, vault, notes, agents, notices } = parts;

  function powerIn(text: string, tag: string | null = null): string | null {
    try {
      const settings = readNoteSettings(text);
      const name = tag ?? settings.agent;
      return notePower(settings, name === null ? null : (agentNamed(name, agents) ?? null), tag !== null);
    } catch {
      return null;
    }
  }

  function give(path: string, power: string): void {
    consents.give(vault.root(), path, power);
    notices.withdraw((facts) => facts.code === 'note-allows' && facts.note === path);
  }

  const headOf = (path: string) => notes.opened(path)?.slice(0, longestHead) ?? '';

  return {
    isAgreed: (path, power) => consents.has(vault.root(), path, power),
    ask(path, power) {
      notices.withdraw((facts) => facts.code === 'note-allows' && facts.note === path);
      notices.add({ code: 'note-allows', note: path, power });
    },
    async agree(path, power) {
      const { session, release } = await notes.hold(path);
      try {
        if (powerIn(session.text(), tagIn(power)) === power) return give(path, power);
      } finally {
        release();
      }
      notices.withdraw((facts) => facts.code === 'note-allows' && facts.note === path);
      const what = `“${path}” says something else by now.`;
      throw new AppError('request.invalid', what, { issues: [what] });
    },
    async typed(path, write) {
      const before = headOf(path);
      const done = await write();
      const after = headOf(path);
      const power = powerIn(after);
      if (power === null || !insertsPower(before, after)) return done;
      const known = powerIn(before);
      if (power !== known && (known === null || consents.has(vault.root(), path, known))) give(path, power);
      return done;
    },
  };
}

/** Whether what was put in is of the value of `approval` or `agent`, in front matter that could be read before and after. */
function insertsPower(textBefore: string, textAfter: string): boolean {
  const before = readableHead(textBefore);
  const after = readableHead(textAfter);
  if (before === null || after === null) return false;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let kept = 0;
  while (kept < shorter - from && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
  const to = after.length - kept;
  return [...after.matchAll(/^(?:approval|agent):(.*)$/gm)].some(({ index, 0: line, 1: value = '' }) => {
    const end = index + line.length;
    return /\p{L}/u.test(after.slice(Math.max(from, end - value.length), Math.min(to, end)));
  });
}

function readableHead(text: string): string | null {
  const head = readFrontMatter(text);
  return head === null || head.problem !== null ? null : text.slice(head.from, head.to);
}
