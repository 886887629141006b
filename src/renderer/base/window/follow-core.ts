import { isAppError } from '../../../contract/errors';
import type { WindowState } from '../../../contract/windows';
import type { Letter, Mailbox } from './mailbox';
import type { ChangeSender } from './send-changes';
import {
  aliveWindows,
  type Core,
  changeParts,
  draftOf,
  emptyParts,
  holdsDraft,
  isForNote,
  type PartChanges,
  type PartName,
  partOf,
  tell,
  type WindowContent,
} from './window-content';

export interface FollowCoreParts {
  openMailbox(): Promise<Mailbox>;
  /** What an older version of the app left in this browser; `done`: the core has it. */
  findFormer(): { readonly parts: PartChanges; done(): void } | null;
}

/** Milliseconds. */
const reconnectMs = 100;
const retryMs = 3_000;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Tells the core that this window is there, over and over, and puts together what it has with what is here. */
export function createFollowCore(
  content: WindowContent,
  { later, send, inOrder }: ChangeSender,
  { openMailbox, findFormer }: FollowCoreParts,
): (core: Core, signal: AbortSignal) => Promise<void> {
  const { drafts, putAt, unsent, listeners } = content;

  function arrive(state: WindowState, letters: readonly Letter[]): void {
    const { drafts: draftsOfCore, ...partsOfCore } = state;
    content.parts = partsOfCore;
    for (const [name, { draft }] of Object.entries(draftsOfCore)) drafts.set(name, draft);
    const former = findFormer();
    if (former && state.layout === null) changeParts(content, former.parts);
    for (const letter of letters) {
      const { name, content: draft, at } = letter;
      const part = partOf(letter);
      if (part) changeParts(content, part);
      else if (draft === null) drafts.delete(name);
      else drafts.set(name, draft);
      if (part || isForNote(name)) continue;
      putAt.set(name, at);
      unsent.drafts.add(name);
    }
    content.isHere = true;
    tell(listeners.parts);
    tell(listeners.drafts);
    tell(listeners.here);
    if (former) void inOrder(send).then(() => unsent.parts.size === 0 && former.done());
    else later(0);
  }

  /** After the connection was lost. Another window may have gone on from this one, or the core have begun anew. */
  function compare(state: WindowState): void {
    const { parts } = content;
    for (const name of Object.keys(parts) as PartName[])
      if (parts[name] !== null && !same(parts[name], state[name])) unsent.parts.add(name);
    const arrivals = Object.entries(state.drafts).filter(([name]) => !holdsDraft(content, name));
    for (const [name, draft] of drafts)
      if (!isForNote(name) && !same(draft, state.drafts[name]?.draft)) unsent.drafts.add(name);
    for (const [name, { draft }] of arrivals) drafts.set(name, draft);
    if (arrivals.length > 0) tell(listeners.drafts);
    later(0);
  }

  return async (core, signal) => {
    content.core = core;
    content.mailbox ??= await openMailbox();
    const { mailbox } = content;
    // Before the core is asked: if another window hands over what waited here, the core has it by then.
    const letters = [...mailbox.letters().values()];
    if (!content.isHere) void handOverOfGone(mailbox, core);
    while (!signal.aborted) {
      let pause = reconnectMs;
      try {
        const { window: id, copyOf } = mailbox;
        const input = { id, copyOf, alive: await aliveWindows(mailbox), isBack: content.isHere };
        for await (const state of core.stream('windows.enter', input, { signal })) {
          if (content.isHere) compare(state);
          else arrive(state, letters);
        }
      } catch (error) {
        if (signal.aborted || isAppError(error, 'connection.stale')) return;
        if (!isAppError(error, 'connection.lost')) {
          pause = retryMs;
          // Rather with nothing of before than not at all.
          if (!content.isHere) arrive({ ...emptyParts, drafts: {} }, letters);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
}

/** What windows that are gone could not hand over any more. */
async function handOverOfGone({ ofGone, arrived }: Mailbox, { call }: Core): Promise<void> {
  for (const letter of await ofGone()) {
    const { window: id, name, content } = letter;
    if (isForNote(name)) continue;
    const part = partOf(letter);
    const changes = part ?? { drafts: { [name]: content && draftOf(content, letter.at) } };
    call('windows.keep', { id, ...changes }, { waits: true }).then(
      ({ written }) => written && arrived(letter),
      (error) => part && isAppError(error, 'request.invalid') && arrived(letter),
    );
  }
}
