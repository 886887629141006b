import { z } from 'zod';
import type { ProviderProblem } from '../../contract/provider-findings';
import { type Clock, type Database, maskedAddress } from '../foundation';
import type { Target } from './format';
import { FailedRequest, type Requester } from './requester';

export interface ModelList {
  readonly models: string[];
  readonly listedAt: number | null;
  readonly problem: ProviderProblem | null;
}

export interface ModelLists {
  /** As last listed at this address; from the provider if that was long ago or `refresh` is set. */
  find(
    of: { readonly requester: Requester; readonly target: Target },
    refresh: boolean,
    signal: AbortSignal,
  ): Promise<ModelList>;
  remember(target: Target, models: readonly string[]): void;
}

const staysGood = 24 * 3_600_000;
const Names = z.array(z.string());

function readNames(text: string): string[] | null {
  try {
    return Names.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function createModelLists({ database, clock }: { database: Database; clock: Clock }): ModelLists {
  const lists = database.table<{ address: string; at: number; models: string }>(
    'create table if not exists model_lists (address text primary key, at real not null, models text not null) strict',
  );
  const addressOf = ({ vendor, baseUrl }: Target) => `${vendor.id} ${maskedAddress(baseUrl)}`;

  function remember(target: Target, models: readonly string[]): void {
    if (models.length === 0) return;
    void lists.put({ address: addressOf(target), at: clock.now(), models: JSON.stringify(models) });
  }

  return {
    remember,
    async find({ requester, target }, refresh, signal) {
      const row = lists.get({ address: addressOf(target) });
      const models = row ? readNames(row.models) : null;
      const stored = row && models ? { models, listedAt: row.at } : null;
      if (stored && !refresh && clock.now() - stored.listedAt < staysGood)
        return { ...stored, problem: null };
      const otherwise = stored ?? { models: [...target.vendor.models], listedAt: null };
      if (!target.vendor.quirks.listsModels) return { ...otherwise, problem: null };
      try {
        const models = await requester.models(signal);
        remember(target, models);
        return { models, listedAt: clock.now(), problem: null };
      } catch (error) {
        if (!(error instanceof FailedRequest)) throw error;
        const { finding, message, next } = error.named;
        return { ...otherwise, problem: { ...(finding && { finding }), message, next } };
      }
    },
  };
}
