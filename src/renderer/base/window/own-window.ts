import { createFollowCore, type FollowCoreParts } from './follow-core';
import { createChangeSender } from './send-changes';
import { createTakeUp, type DraftQuery } from './take-up';
import {
  type Core,
  changeParts,
  createWindowContent,
  isForNote,
  ofParts,
  type PartChanges,
  type WindowContent,
  type WindowParts,
} from './window-content';

/** What this window shows and what is typed in it. The core owns it; this is the way there and back. */
export interface OwnWindow {
  /** Follows the core until the signal fires. */
  live(core: Core, signal: AbortSignal): Promise<void>;
  isHere(): boolean;
  onHere(listener: () => void): () => void;
  parts(): WindowParts;
  /** Calls with what the core keeps as soon as it is here. */
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
  takeUp(query: DraftQuery): Promise<readonly string[]>;
  /** The page may be gone in a moment. */
  leave(): void;
}

/** Milliseconds. */
const restMs = 300;

export function createOwnWindow(
  openMailbox: FollowCoreParts['openMailbox'],
  findFormer: FollowCoreParts['findFormer'] = () => null,
): OwnWindow {
  const content = createWindowContent();
  const { drafts, partial, homeless, unsent, listeners } = content;
  const sender = createChangeSender(content);

  return {
    live: createFollowCore(content, sender, { openMailbox, findFormer }),
    isHere: () => content.isHere,
    onHere(listener) {
      listeners.here.add(listener);
      return () => listeners.here.delete(listener);
    },
    parts: () => content.parts,
    whenHere(take) {
      listeners.parts.add(() => take(content.parts));
      if (content.isHere) take(content.parts);
    },
    keep(changes) {
      if (!content.isHere) return;
      changeParts(content, changes);
      sender.later(restMs);
    },
    drafts: () => drafts,
    onDrafts: (listener) => void listeners.drafts.add(listener),
    put(name, draft, isWhole) {
      putDraft(content, name, draft, isWhole);
      if (isForNote(name)) return;
      unsent.drafts.add(name);
      sender.later(restMs);
    },
    isOnlyHere: () => partial.size + homeless.size > 0,
    takeUp: createTakeUp(content, sender),
    leave() {
      for (const name of unsent.parts) {
        try {
          content.mailbox?.post(ofParts + name, { value: content.parts[name] });
        } catch {
          // What is typed has the first claim to the room.
        }
      }
      void sender.inOrder(sender.send);
    },
  };
}

function putDraft(content: WindowContent, name: string, draft: object | null, isWhole: boolean): void {
  const { drafts, putAt, partial, homeless } = content;
  // As it is written down: fields that are not set cross some wires, and are no JSON.
  if (draft) drafts.set(name, JSON.parse(JSON.stringify(draft)) as object);
  else drafts.delete(name);
  if (isWhole) partial.delete(name);
  else partial.add(name);
  putAt.set(name, Date.now());
  if (post(content, name, draft) || draft === null) homeless.delete(name);
  else homeless.add(name);
}

/** Whether it is in the mailbox as it is to be. */
function post({ mailbox, putAt }: WindowContent, name: string, draft: object | null): boolean {
  try {
    if (draft === null && isForNote(name)) mailbox?.remove(name);
    else if (mailbox) putAt.set(name, mailbox.post(name, draft).at);
    return mailbox !== null;
  } catch {
    return false;
  }
}
