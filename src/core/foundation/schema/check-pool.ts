import { within } from '../async/signals';
import type { CheckProcess, ProcessAnswer } from './check-process';
import { jsonPieces, TooDeep } from './json-pieces';

/** What is to be checked, and by which schema, as JSON. */
export interface Job {
  readonly schema: string;
  readonly value: unknown;
}

/**
 * `deep`, `size`: a value that is not handed on. `busy`: so many others waited that nobody could wait for this one. `closed`:
 * the app ends.
 */
export type PoolAnswer = ProcessAnswer | { readonly kind: 'deep' | 'size' | 'busy' | 'closed' };

export interface CheckPool {
  /** Never rejects. */
  check(owner: string, job: Job): Promise<PoolAnswer>;
  close(): Promise<void>;
}

const processes = 2;
/** Milliseconds. `turn`: of this thread at a time. */
const most = { idle: 5_000, waiting: 2_000, turn: 5, ending: 1_000, resting: 30_000 };
/** Characters of a value: to read more takes longer than a check may. */
const longestValue = 8 * 1024 * 1024;

interface Entry extends Job {
  isOver: boolean;
  done(answer: PoolAnswer): void;
}

interface Place {
  process: CheckProcess | null;
  isBusy: boolean;
  idle: NodeJS.Timeout | undefined;
}

/** At most two processes, started when they are needed. Each owner has its turn, however many checks another one waits for. One closure over the two and who waits. */
export function createCheckPool({
  start,
  onNoProcess,
}: {
  start(): CheckProcess;
  /** None can be started, which is tried again after a while. */
  onNoProcess(): void;
}): CheckPool {
  const places: Place[] = Array.from({ length: processes }, () => ({
    process: null,
    isBusy: false,
    idle: undefined,
  }));
  const alive = new Set<CheckProcess>();
  const queues = new Map<string, Entry[]>();
  let isClosed = false;
  /** Where none can be started it is not tried for each check. */
  let restingUntil = 0;

  function next(): Entry | undefined {
    for (const [owner, queue] of queues) {
      const job = queue.shift();
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      if (job?.isOver === false) return job;
    }
    return undefined;
  }

  function running(place: Place): CheckProcess {
    if (place.process !== null && !place.process.isOver) return place.process;
    const process = start();
    alive.add(process);
    void process.ended.then(() => alive.delete(process));
    place.process = process;
    return process;
  }

  async function answerTo(place: Place, { schema, value }: Job): Promise<PoolAnswer> {
    const pieces = await inTurns(value);
    if (typeof pieces === 'string') return { kind: pieces };
    if (isClosed) return { kind: 'closed' };
    if (performance.now() < restingUntil) return { kind: 'no-process' };
    const answer = await running(place).check(schema, pieces);
    if (answer.kind === 'no-process' && !isClosed) {
      restingUntil = performance.now() + most.resting;
      onNoProcess();
    }
    return isClosed && answer.kind !== 'checked' ? { kind: 'closed' } : answer;
  }

  async function work(place: Place): Promise<void> {
    place.isBusy = true;
    clearTimeout(place.idle);
    for (let job = next(); job; job = next()) {
      job.isOver = true;
      job.done(await answerTo(place, job));
    }
    place.isBusy = false;
    const { process } = place;
    place.idle = setTimeout(() => process?.end(), most.idle).unref();
  }

  return {
    check(owner, job) {
      if (isClosed) return Promise.resolve({ kind: 'closed' });
      return new Promise((done) => {
        const queue = queues.get(owner) ?? [];
        queue.push(entryFor(job, done));
        queues.set(owner, queue);
        const free = places.filter(({ isBusy }) => !isBusy);
        const place = free.find(({ process }) => process?.isOver === false) ?? free[0];
        if (place) void work(place);
      });
    },
    async close() {
      isClosed = true;
      for (const queue of queues.values()) for (const job of queue) job.done({ kind: 'closed' });
      queues.clear();
      for (const { idle } of places) clearTimeout(idle);
      const all = [...alive];
      for (const process of all) process.end();
      await within(Promise.all(all.map(({ ended }) => ended)), most.ending);
    },
  };
}

/** Done once, at the latest when it has waited too long. */
function entryFor(job: Job, done: (answer: PoolAnswer) => void): Entry {
  const late = setTimeout(() => {
    if (entry.isOver) return;
    entry.isOver = true;
    done({ kind: 'busy' });
  }, most.waiting);
  const entry: Entry = {
    ...job,
    isOver: false,
    done(answer) {
      clearTimeout(late);
      done(answer);
    },
  };
  return entry;
}

/** A value as JSON; this thread does other work in between. */
async function inTurns(value: unknown): Promise<Uint8Array[] | 'deep' | 'size'> {
  const pieces: Uint8Array[] = [];
  let characters = 0;
  let until = performance.now() + most.turn;
  try {
    for (const piece of jsonPieces(value)) {
      characters += piece.length;
      if (characters > longestValue) return 'size';
      pieces.push(Buffer.from(piece));
      if (performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + most.turn;
    }
  } catch (error) {
    if (error instanceof TooDeep) return 'deep';
    throw error;
  }
  return pieces;
}
