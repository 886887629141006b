import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ContributionEntry } from '../../contract/vault';
import type { Log } from '../foundation';
import type { Trust } from '../trust';
import type { Current, Opened } from './opened';

/** What is told of the folder that is the vault: whether it is trusted, may be written, and what it brings. */
export interface Review {
  /** It is open. */
  announce(vault: Opened): Promise<void>;
  writable(vault: Opened): Promise<void>;
  /** What the folder brings may be something else by now. */
  soon(root: string): void;
}

export function createReview({
  current,
  trust,
  contributions,
  inOrder,
  log,
}: {
  current: Current;
  trust: Pick<Trust, 'isTrusted'> & Partial<Pick<Trust, 'wasTrusted'>>;
  contributions: (root: string) => Promise<ContributionEntry[]>;
  inOrder: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  log: Log;
}): Review {
  let isWaiting = false;

  function soon(root: string): void {
    if (isWaiting) return;
    isWaiting = true;
    void inOrder('vault', async () => {
      isWaiting = false;
      const before = current.state.get();
      if (before.kind !== 'open' || current.vault?.root !== root) return;
      const now = await contributions(root);
      if (current.state.get() === before && JSON.stringify(now) !== JSON.stringify(before.contributions))
        current.state.set({ ...before, contributions: now });
    }).catch((error: unknown) => log.warn('what the folder brings not read', { error }));
  }

  async function announce({ root }: Opened): Promise<void> {
    const before = current.state.get();
    const writable = await isWritable(root);
    const trusted = trust.isTrusted(root);
    const wasTrusted = !trusted && trust.wasTrusted?.(root) === true;
    const contents = await contributions(root);
    // It may be gone meanwhile.
    if (current.state.get() !== before) return;
    current.state.set({
      kind: 'open',
      path: root,
      name: basename(root),
      trusted,
      ...(wasTrusted && { wasTrusted }),
      contributions: contents,
      writable,
    });
  }

  async function writable({ root }: Opened): Promise<void> {
    const before = current.state.get();
    if (before.kind !== 'open') return;
    const isNow = await isWritable(root);
    if (current.state.get() === before && isNow !== before.writable)
      current.state.set({ ...before, writable: isNow });
  }

  return { announce, writable, soon };
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
