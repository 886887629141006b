import type { FlowSource } from '../../../contract/flow';

/** Something that was read, and from which server: null where that is not certain, or it was none. */
export interface ReadSource extends FlowSource {
  readonly serverId: string | null;
}

/** What stands around a call in its conversation. */
export interface CallContext {
  /** Read before it was asked for. */
  readonly read: readonly ReadSource[];
  /** What the calls that were asked for with it read. */
  readonly beside: readonly ReadSource[];
}
