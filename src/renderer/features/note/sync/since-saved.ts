import { ChangeSet, type Text } from '@codemirror/state';

export interface SeenUpdate {
  readonly changes: ChangeSet;
  /** By this window. */
  readonly isOwn: boolean;
}

/** What the person wrote here on top of `confirmed`, without what others did meanwhile. */
export interface OwnChanges {
  readonly confirmed: Text;
  readonly local: readonly ChangeSet[];
  /** So many of the local ones may have reached the core. */
  readonly sent: number;
  /** From what the editor shows to what `local` leads to. */
  readonly toOwn: ChangeSet;
}

/**
 * What a window saw of a session since all of that was in the file. The core has confirmed it, but it may have been in the
 * core's memory alone, or in a journal that is damaged since: when the core dies, the window is the last to have it.
 */
export interface SinceSaved {
  add(update: SeenUpdate): void;
  readonly version: number;
  readonly text: Text;
  readonly updates: readonly SeenUpdate[];
  /**
   * `after`: the last version that the core still knows; null: nobody knows. `pending`: what was not confirmed, of which
   * the first `sent` were sent.
   */
  own(after: number | null, pending: readonly ChangeSet[], sent: number): OwnChanges;
}

/** What came before these is taken for kept. */
const mostUpdates = 5_000;
/** Each step is one more state of which it is asked whether the core came as far. */
const mostSteps = 32;

export function createSinceSaved(
  version: number,
  text: Text,
  earlier: readonly SeenUpdate[] = [],
): SinceSaved {
  const updates = [...earlier];
  return {
    add(update) {
      updates.push(update);
      if (updates.length < 2 * mostUpdates) return;
      for (const { changes } of updates.splice(0, mostUpdates)) text = changes.apply(text);
      version += mostUpdates;
    },
    get version() {
      return version;
    },
    get text() {
      return text;
    },
    updates,
    own(after, pending, sent) {
      const count = Math.min(updates.length, Math.max(0, (after ?? 0) - version));
      const confirmed = updates.slice(0, count).reduce((doc, { changes }) => changes.apply(doc), text);
      let current = confirmed;
      let toOwn = ChangeSet.empty(confirmed.length);
      const local: ChangeSet[] = [];
      for (const { changes, isOwn } of updates.slice(count)) {
        if (isOwn) {
          local.push(changes.map(toOwn, true));
          toOwn = toOwn.map(changes);
        } else toOwn = changes.invert(current).compose(toOwn);
        current = changes.apply(current);
      }
      const steps = inSteps(local, mostSteps);
      for (const changes of pending) {
        steps.push(changes.map(toOwn, true));
        toOwn = toOwn.map(changes);
      }
      return { confirmed, local: steps, sent: steps.length - pending.length + sent, toOwn };
    },
  };
}

function inSteps(changes: readonly ChangeSet[], most: number): ChangeSet[] {
  const size = Math.max(1, Math.ceil(changes.length / most));
  const steps: ChangeSet[] = [];
  for (let at = 0; at < changes.length; at += size)
    steps.push(changes.slice(at, at + size).reduce((all, one) => all.compose(one)));
  return steps;
}
