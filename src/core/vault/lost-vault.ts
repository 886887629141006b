import type { VaultState } from '../../contract/vault';
import type { Clock, Log } from '../foundation';
import type { Current, Opened } from './opened';
import type { Tree } from './tree/tree';
import type { DiskChange } from './watch/observe';
import { createReturnWatch, type Instead, movedBeside } from './watch/return-watch';

/** What is done when the folder of the vault is gone: it is told, and waited for. */
export function createLoss({
  current,
  tree,
  clock,
  log,
  enter,
  leave,
  announce,
  onBack,
}: {
  current: Current;
  tree: Pick<Tree, 'entries'>;
  clock: Clock;
  log: Log;
  /** What has to be made anew for a folder that came back. */
  enter: (root: string) => Partial<Opened>;
  leave: (vault: Opened) => void;
  announce: (vault: Opened) => Promise<void>;
  /** With what is another since it went. */
  onBack: (change: DiskChange) => void;
}): () => void {
  const returns = createReturnWatch(clock);

  return () => {
    const { vault } = current;
    const before = current.state.get();
    if (!vault || before.kind !== 'open') return;
    log.warn('vault lost', { root: vault.root });
    leave(vault);
    const { path: root, name } = before;
    const lost = { root, id: vault.home.id, entries: [...tree.entries()] };
    let lostState: Extract<VaultState, { kind: 'lost' }> = {
      ...{ kind: 'lost', path: root, name, instead: 'nothing', movedTo: null },
    };
    const show = (changes: { instead?: Exclude<Instead, 'vault'>; movedTo?: string | null }) => {
      const next = { ...lostState, ...changes };
      const isSame = next.instead === lostState.instead && next.movedTo === lostState.movedTo;
      if (isSame || current.vault !== vault || current.state.get() !== lostState) return;
      lostState = next;
      current.state.set(next);
    };
    current.state.set(lostState);
    void movedBeside(lost).then((movedTo) => show({ movedTo }));
    vault.stopWaiting = returns.wait(lost, {
      onInstead: (instead) => instead !== 'vault' && show({ instead }),
      async onBack() {
        if (current.vault !== vault) return;
        Object.assign(vault, enter(root));
        const change = await vault.observer.start().catch((error: unknown) => {
          leave(vault);
          throw error;
        });
        if (current.vault !== vault) return;
        await announce(vault);
        onBack(change);
      },
    });
  };
}
