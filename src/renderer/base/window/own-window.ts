import type { BridgeClient } from '../../../bridge/client';
import { isAppError } from '../../../contract/errors';
import type { AppOperations } from '../../../contract/operations';
import {
  longestDraft,
  type WindowDraft,
  type WindowLayout,
  type WindowState,
} from '../../../contract/windows';
import type { Letter, Mailbox } from './mailbox';

type Core = BridgeClient<AppOperations>;
/** What of a window is no draft. */
export type WindowParts = Omit<WindowState, 'drafts'>;
type PartName = keyof WindowParts;
export type PartChanges = Partial<Omit<WindowParts, 'layout'>> & { readonly layout?: WindowLayout };

/** One thing that is typed into, or all whose names begin so. */
export type Wanted = { readonly name: string } | { readonly start: string };

/** What this window shows and what is typed in it. The core owns it; this is the way there and back. */
export interface OwnWindow {
  /** Follows the core until the signal fires. */
  live(core: Core, signal: AbortSignal): Promise<void>;
  isHere(): boolean;
  onHere(listener: () => void): () => void;
  parts(): WindowParts;
  /** Calls with what is kept as soon as it is here. */
  whenHere(take: (parts: WindowParts) => void): void;
  /** Hands it over after a moment; while the core is away, once it is back. */
  keep(changes: PartChanges): void;
  drafts(): ReadonlyMap<string, object>;
  /** Drafts have come that were not put here. */
  onDrafts(listener: () => void): void;
  /** As `keep`; null: nothing of it may be written down. `isWhole`: there is no more of it than that. */
  put(name: string, draft: object | null, isWhole: boolean): void;
  /** Whether anything typed would go with the page. */
  isOnlyHere(): boolean;
  /** Takes what windows that are gone have left there. Returns the names of what came. */
  takeUp(wanted: Wanted): Promise<readonly string[]>;
  /** The page may be gone in a moment. */
  leave(): void;
}

/** Milliseconds. */
const restMs = 300;
const reconnectMs = 100;
const retryMs = 3_000;
/** In the mailbox: parts that were changed just before the page was left. */
const ofParts = 'part ';
/** Words for notes wait in the mailbox until their notes have them. */
const forNotes = 'note ';

const nothing: WindowParts = { layout: null, panels: {}, greeted: [] };
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** One function, as each of its parts calls the others. */
export function createOwnWindow(
  openMailbox: () => Promise<Mailbox>,
  /** What an older version of the app left in this browser; `done`: the core has it. */
  findFormer: () => { readonly parts: PartChanges; done(): void } | null = () => null,
): OwnWindow {
  const listeners = { here: new Set<() => void>(), drafts: new Set<() => void>() };
  const takers: ((parts: WindowParts) => void)[] = [];
  let core: Core | null = null;
  let mailbox: Mailbox | null = null;
  let isHere = false;
  let parts = nothing;
  const drafts = new Map<string, object>();
  /** When each was put. */
  const putAt = new Map<string, number>();
  /** What the core has not said that it has. */
  const unsent = { parts: new Set<PartName>(), drafts: new Set<string>() };
  /** Of which there is more than may be written down, and what found no room in the mailbox. */
  const [partial, homeless] = [new Set<string>(), new Set<string>()];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What is asked of the core is asked one after the other. */
  let chain: Promise<unknown> = Promise.resolve();
  let asked: { names: Set<string>; starts: Set<string>; came: Promise<ReadonlySet<string>> } | null = null;

  const inOrder = <T>(act: () => Promise<T>): Promise<T> => {
    const acted = chain.then(act);
    chain = acted.catch(() => undefined);
    return acted;
  };

  const later = (ms: number) => {
    timer ??= setTimeout(() => void inOrder(send), ms);
  };

  const tell = (told: Iterable<() => void>) => {
    for (const listener of told) listener();
  };

  async function live(given: Core, signal: AbortSignal): Promise<void> {
    core = given;
    mailbox ??= await openMailbox();
    // Before the core is asked: if another window hands over what waited here, the core has it by then.
    const waiting = [...mailbox.letters().values()];
    if (!isHere) void handOver(mailbox, given);
    while (!signal.aborted) {
      let pause = reconnectMs;
      try {
        const { window: id, copyOf } = mailbox;
        const input = { id, copyOf, alive: await alive(mailbox), isBack: isHere };
        for await (const state of given.stream('windows.enter', input, { signal })) {
          if (isHere) compare(state);
          else arrive(state, waiting);
        }
      } catch (error) {
        if (signal.aborted || isAppError(error, 'connection.stale')) return;
        if (!isAppError(error, 'connection.lost')) {
          pause = retryMs;
          // Rather with nothing of before than not at all.
          if (!isHere) arrive({ ...nothing, drafts: {} }, waiting);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** What windows that are gone could not hand over any more. */
  async function handOver({ ofGone, arrived }: Mailbox, { call }: Core): Promise<void> {
    for (const letter of await ofGone()) {
      const { window: id, name, content } = letter;
      if (name.startsWith(forNotes)) continue;
      const part = partOf(letter);
      const kept = part ?? { drafts: { [name]: content && draftOf(content, letter.at) } };
      call('windows.keep', { id, ...kept }, { waits: true }).then(
        ({ written }) => written && arrived(letter),
        (error) => part && isAppError(error, 'request.invalid') && arrived(letter),
      );
    }
  }

  function arrive(state: WindowState, waiting: readonly Letter[]): void {
    const { drafts: kept, ...keptParts } = state;
    parts = keptParts;
    for (const [name, { draft }] of Object.entries(kept)) drafts.set(name, draft);
    const former = findFormer();
    if (former && state.layout === null) change(former.parts);
    for (const letter of waiting) {
      const { name, content, at } = letter;
      const part = partOf(letter);
      if (part) change(part);
      else if (content === null) drafts.delete(name);
      else drafts.set(name, content);
      if (part || name.startsWith(forNotes)) continue;
      putAt.set(name, at);
      unsent.drafts.add(name);
    }
    isHere = true;
    for (const take of takers) take(parts);
    tell(listeners.drafts);
    tell(listeners.here);
    if (former) void inOrder(send).then(() => unsent.parts.size === 0 && former.done());
    else later(0);
  }

  /** After the connection was lost. Another window may have gone on from this one, or the core have begun anew. */
  function compare(state: WindowState): void {
    for (const name of Object.keys(parts) as PartName[])
      if (parts[name] !== null && !same(parts[name], state[name])) unsent.parts.add(name);
    const came = Object.entries(state.drafts).filter(([name]) => !holds(name));
    for (const [name, draft] of drafts)
      if (!name.startsWith(forNotes) && !same(draft, state.drafts[name]?.draft)) unsent.drafts.add(name);
    for (const [name, { draft }] of came) drafts.set(name, draft);
    if (came.length > 0) tell(listeners.drafts);
    later(0);
  }

  const holds = (name: string) => drafts.has(name) || unsent.drafts.has(name) || partial.has(name);

  function change(changes: PartChanges): void {
    parts = { ...parts, ...changes };
    for (const name of Object.keys(changes) as PartName[]) unsent.parts.add(name);
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!core || !mailbox || !isHere) return;
    const { window: id } = mailbox;
    const sent = [...unsent.drafts].flatMap((name) => {
      const draft = drafts.get(name);
      return fits(draft) ? [{ name, draft, at: putAt.get(name) ?? Date.now() }] : [];
    });
    const changed = [...unsent.parts].map((name) => ({ name, value: parts[name] }));
    if (sent.length + changed.length === 0) return;
    const input = {
      id,
      ...Object.fromEntries(changed.map(({ name, value }) => [name, value ?? undefined])),
      drafts: Object.fromEntries(
        sent.map(({ name, draft, at }) => [name, draft ? draftOf(draft, at) : null]),
      ),
    };
    const { written } = await core
      .call('windows.keep', input, { waits: true })
      .catch(() => ({ written: false }));
    if (!written) return later(retryMs);
    for (const { name, value } of changed) {
      if (parts[name] !== value) continue;
      unsent.parts.delete(name);
      mailbox.remove(ofParts + name);
    }
    for (const { name, draft, at } of sent) {
      mailbox.arrived({ window: id, name, at });
      if (drafts.get(name) !== draft) continue;
      unsent.drafts.delete(name);
      homeless.delete(name);
    }
  }

  /** What comes under a name that this window has something under by then goes back. */
  async function askForLeft(): Promise<ReadonlySet<string>> {
    const { names = [], starts = [] } = asked ?? {};
    asked = null;
    const came = new Set<string>();
    if (!core || !mailbox) return came;
    await send();
    const input = { id: mailbox.window, alive: await alive(mailbox), names: [...names], starts: [...starts] };
    for (const { name, from, at, draft } of await core.call('windows.takeUp', input, { waits: true })) {
      if (holds(name)) {
        await core.call('windows.keep', { id: from, drafts: { [name]: { at, draft } } }, { waits: true });
        unsent.drafts.add(name);
        later(0);
      } else {
        drafts.set(name, draft);
        came.add(name);
      }
    }
    if (came.size > 0) tell(listeners.drafts);
    return came;
  }

  async function takeUpForNotes(wanted: Wanted): Promise<readonly string[]> {
    // Where it cannot be moved, as on a full disk, it stays where it is.
    const taken = await mailbox?.takeUp((name) => isWanted(name, wanted)).catch(() => null);
    for (const [name, draft] of taken ?? []) drafts.set(name, draft);
    if (taken?.size) tell(listeners.drafts);
    return [...(taken?.keys() ?? [])];
  }

  function post(name: string, draft: object | null): boolean {
    try {
      if (draft === null && name.startsWith(forNotes)) mailbox?.remove(name);
      else if (mailbox) putAt.set(name, mailbox.post(name, draft).at);
      return mailbox !== null;
    } catch {
      return false;
    }
  }

  return {
    live,
    isHere: () => isHere,
    onHere(listener) {
      listeners.here.add(listener);
      return () => listeners.here.delete(listener);
    },
    parts: () => parts,
    whenHere(take) {
      takers.push(take);
      if (isHere) take(parts);
    },
    keep(changes) {
      if (!isHere) return;
      change(changes);
      later(restMs);
    },
    drafts: () => drafts,
    onDrafts: (listener) => void listeners.drafts.add(listener),
    put(name, draft, isWhole) {
      // As it is written down: fields that are not set cross some wires, and are no JSON.
      if (draft) drafts.set(name, JSON.parse(JSON.stringify(draft)) as object);
      else drafts.delete(name);
      if (isWhole) partial.delete(name);
      else partial.add(name);
      putAt.set(name, Date.now());
      if (post(name, draft) || draft === null) homeless.delete(name);
      else homeless.add(name);
      if (name.startsWith(forNotes)) return;
      unsent.drafts.add(name);
      later(restMs);
    },
    isOnlyHere: () => partial.size + homeless.size > 0,
    async takeUp(wanted) {
      const place = 'name' in wanted ? wanted.name : wanted.start;
      if (place.startsWith(forNotes)) return takeUpForNotes(wanted);
      // Forms that are opened at once ask at once.
      asked ??= {
        names: new Set(),
        starts: new Set(),
        came: inOrder(askForLeft).catch(() => new Set<string>()),
      };
      asked['name' in wanted ? 'names' : 'starts'].add(place);
      return [...(await asked.came)].filter((name) => isWanted(name, wanted));
    },
    leave() {
      for (const name of unsent.parts) {
        try {
          mailbox?.post(ofParts + name, { value: parts[name] });
        } catch {
          // What is typed has the first claim to the room.
        }
      }
      void inOrder(send);
    },
  };
}

/** Of the windows whose pages are there; nobody has more. */
const alive = async (mailbox: Mailbox) => (await mailbox.alive()).slice(0, 1_000);

const isWanted = (name: string, wanted: Wanted) =>
  'name' in wanted ? name === wanted.name : name.startsWith(wanted.start);

const draftOf = (draft: object, at: number): WindowDraft => ({ at, draft: draft as WindowDraft['draft'] });

/** Null: it is a draft. */
function partOf({ name, content }: Letter): PartChanges | null {
  if (!name.startsWith(ofParts) || content === null || !('value' in content)) return null;
  return { [name.slice(ofParts.length)]: content.value };
}

const fits = (draft: object | undefined) =>
  draft === undefined || JSON.stringify(draft).length <= longestDraft;
