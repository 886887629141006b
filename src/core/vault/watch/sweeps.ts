import { statfs } from 'node:fs/promises';
import type { Clock } from '../../foundation';

/** The system tells of no change that another machine makes there. */
const sharedKinds = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE, so sshfs and most clouds
  0x01021997, // 9P, so shared folders of virtual machines
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x786f4256, // VirtualBox
]);

const every = { local: 5 * 60_000, shared: 30_000 };
/** Milliseconds between two that nobody asked for by name. */
const soonest = 5_000;
/** A sweep takes at most one part in so many of the time. */
const share = 100;

/** When the whole folder is compared again, though no event told of anything. */
export interface Sweeps {
  /** As soon as it is due; at once where the last time is long enough ago. */
  ask(): Promise<void>;
  close(): void;
}

export function createSweeps({
  root,
  clock,
  sweep,
}: {
  root: string;
  clock: Clock;
  sweep: () => Promise<void>;
}): Sweeps {
  let base = every.local;
  let ended = clock.now();
  let took = 0;
  let cancel: (() => void) | null = null;
  let closed = false;

  function wait(): void {
    cancel?.();
    cancel = closed ? null : clock.after(Math.max(base, took * share), () => void now());
  }

  async function now(): Promise<void> {
    const began = clock.now();
    try {
      await sweep();
    } finally {
      ended = clock.now();
      took = ended - began;
      wait();
    }
  }

  void statfs(root).then(
    ({ type }) => {
      if (sharedKinds.has(type >>> 0)) base = every.shared;
      wait();
    },
    () => wait(),
  );

  return {
    async ask() {
      if (clock.now() - ended >= Math.max(soonest, took * (share / 4))) await now();
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}
