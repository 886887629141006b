import { readdirSync, readFileSync } from 'node:fs';
import { type Descendant, findDescendants, signalDescendants } from './descendants';
import { signalGroup } from './process-group';

const files = { readdirSync, readFileSync };

/**
 * A program, its process group, and what it has started in groups and sessions of their own. A process whose parent has ended tells
 * nobody whose it was, so whoever was seen below the program stays known.
 */
export interface ProcessTree {
  /** Cheap enough for each second. True: some are new. */
  glance(): boolean;
  /** At all processes of the computer: some milliseconds. */
  look(): void;
  descendants(): readonly Descendant[];
  hasEnded(): boolean;
  /** Asks all to end, then ends them. */
  end(timeouts: { readonly afterTerm: number; readonly afterKill: number }): Promise<void>;
}

/** `pid`: of the leader of a process group. */
export function createProcessTree(pid: number): ProcessTree {
  let descendants: readonly Descendant[] = [];

  function look(): void {
    descendants = findDescendants(pid, descendants, files);
  }

  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    signalGroup(pid, name);
    signalDescendants(descendants, name, pid, files);
  }

  const hasEnded = () => !signalGroup(pid, 0) && signalDescendants(descendants, 0, pid, files) === 0;

  /** No event tells when the last of them ends, so it is looked at often. */
  async function ends(ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    for (;;) {
      if (hasEnded()) return true;
      if (performance.now() >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  return {
    glance() {
      const isKnown = new Set(descendants.map(nameOf));
      const added = glance(pid).filter((one) => !isKnown.has(nameOf(one)));
      if (added.length === 0) return false;
      descendants = [...descendants.filter((one) => signalDescendants([one], 0, pid, files) > 0), ...added];
      return true;
    },
    look,
    descendants: () => descendants,
    hasEnded,
    async end({ afterTerm, afterKill }) {
      // Held still, it starts nothing between the look and the signal; and a sandbox that is killed while it begins would leave
      // a process behind that has a session of its own already and was not yet told to end with it.
      signalGroup(pid, 'SIGSTOP');
      // One that runs on another processor stops with its next interrupt.
      await new Promise((resolve) => setTimeout(resolve, 5));
      look();
      signal('SIGTERM');
      signalGroup(pid, 'SIGCONT');
      if (await ends(afterTerm)) return;
      look();
      signal('SIGKILL');
      await ends(afterKill);
    },
  };
}

const nameOf = ({ pid, startTime }: Descendant) => `${pid} ${startTime}`;

/** What descends from a process, at the cost of its own files only: nothing where the kernel keeps no lists of children. */
function glance(pid: number): Descendant[] {
  const children: Descendant[] = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      for (const child of readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ')) {
        if (child === '') continue;
        const stat = readFileSync(`/proc/${child}/stat`, 'latin1');
        const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
        children.push({ pid: Number(child), startTime });
      }
  } catch {
    // It has ended meanwhile.
  }
  return [...children, ...children.flatMap((child) => glance(child.pid))];
}
