import type { SeenState } from '../../../contract/notes';

/**
 * Since when a run of the app has a session. It may have been taken up from a journal that had lost its end: what followers saw
 * of it in a run before is part of it only as far as that goes.
 */
export interface Epoch {
  readonly id: string;
  /** The session's version with which it began. */
  readonly began: number;
}

/** What is left out is not doubted. */
export const isWithin = (epoch: Epoch, seenState: Pick<SeenState, 'version' | 'epoch'>): boolean =>
  seenState.epoch === undefined || seenState.epoch === epoch.id || seenState.version <= epoch.began;
