import { z } from 'zod';
import type { ChangeParts } from '../../entities/change/change';
import type { Edit } from '../../entities/change/edit';
import type { Pages } from '../pages';

/** What every tool works with. */
export interface VaultParts extends ChangeParts {
  readonly pages: Pages;
  /** Another one for each start of a server. */
  readonly session: string;
}

export const Fields = z.array(z.string()).min(1).max(50).optional();
export const EntityRecord = z.record(z.string(), z.unknown());

const mostWarnings = 20;

/** What an answer says of words that stood in the way. */
export function warningsIn(edit: Edit): { warnings?: string[] } {
  const all = edit.warnings();
  return all.length === 0 ? {} : { warnings: all.slice(0, mostWarnings) };
}
