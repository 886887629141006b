import type { ChangeSender } from './send-changes';
import { aliveWindows, holdsDraft, isForNote, tell, type WindowContent } from './window-content';

/** One thing that is typed into, or all whose names begin so. */
export type DraftQuery = { readonly name: string } | { readonly start: string };

/** Forms that are opened at once ask at once. */
interface Question {
  readonly names: Set<string>;
  readonly starts: Set<string>;
  readonly answer: Promise<ReadonlySet<string>>;
}

const matches = (name: string, query: DraftQuery) =>
  'name' in query ? name === query.name : name.startsWith(query.start);

/** Takes what windows that are gone have left under such names. Returns the names of what came. */
export function createTakeUp(
  content: WindowContent,
  { later, send, inOrder }: ChangeSender,
): (query: DraftQuery) => Promise<readonly string[]> {
  const { drafts, unsent, listeners } = content;
  /** Not sent yet. */
  let question: Question | null = null;

  /** What comes under a name that this window has something under by then goes back. */
  async function askCore(): Promise<ReadonlySet<string>> {
    const { names = [], starts = [] } = question ?? {};
    question = null;
    const arrivals = new Set<string>();
    const { core, mailbox } = content;
    if (!core || !mailbox) return arrivals;
    await send();
    const alive = await aliveWindows(mailbox);
    const input = { id: mailbox.window, alive, names: [...names], starts: [...starts] };
    for (const { name, from, at, draft } of await core.call('windows.takeUp', input, { waits: true })) {
      if (holdsDraft(content, name)) {
        await core.call('windows.keep', { id: from, drafts: { [name]: { at, draft } } }, { waits: true });
        unsent.drafts.add(name);
        later(0);
      } else {
        drafts.set(name, draft);
        arrivals.add(name);
      }
    }
    if (arrivals.size > 0) tell(listeners.drafts);
    return arrivals;
  }

  async function fromMailbox(query: DraftQuery): Promise<readonly string[]> {
    // Where it cannot be moved, as on a full disk, it stays where it is.
    const letters = await content.mailbox?.takeUp((name) => matches(name, query)).catch(() => null);
    for (const [name, draft] of letters ?? []) drafts.set(name, draft);
    if (letters?.size) tell(listeners.drafts);
    return [...(letters?.keys() ?? [])];
  }

  return async (query) => {
    const place = 'name' in query ? query.name : query.start;
    if (isForNote(place)) return fromMailbox(query);
    question ??= {
      names: new Set(),
      starts: new Set(),
      answer: inOrder(askCore).catch(() => new Set<string>()),
    };
    question['name' in query ? 'names' : 'starts'].add(place);
    return [...(await question.answer)].filter((name) => matches(name, query));
  };
}
