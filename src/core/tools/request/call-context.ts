import type { FlowSource } from '../../../contract/flow';

/**
 * Something that was read. `account`: of its server as it was then, which is another one with another program behind the same name;
 * null where that is not certain, or it was no server.
 */
export interface ReadSource extends FlowSource {
  readonly account: string | null;
  /** Hashes of what stood there as it was read, none of a tool that answers what it was given; left out: it is yet to be read, or not private. */
  readonly contents?: readonly string[];
}

/** What stands around a call in its conversation. */
export interface CallContext {
  /** Read before it was asked for. */
  readonly read: readonly ReadSource[];
  /** What the calls that were asked for with it read. */
  readonly beside: readonly ReadSource[];
}
