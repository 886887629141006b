import { createHash } from 'node:crypto';
import { type Failure, ToolFailure } from '../base/failures';
import type { EntityType } from '../entity/model/model';
import type { CreateOptions } from './edit';

export interface Op {
  readonly client_id: string;
  readonly op: 'create' | 'update' | 'archive';
  readonly type?: EntityType | undefined;
  readonly id?: string | undefined;
  readonly revision?: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OpResult {
  readonly client_id: string;
  readonly status: 'ok' | 'error';
  readonly id?: string;
  readonly revision?: string;
  /** It was done before and not again. */
  readonly replayed?: boolean;
  /** What lies below and went along. */
  readonly cascaded?: readonly string[];
  /** Of what was done before: fields that hold something else by now, those of what went along with their id. */
  readonly changed_since?: readonly string[];
  /** What the caller had not seen: kept, or a small one replaced. */
  readonly difference?: string;
  readonly error?: Failure;
}

/** What is said of an op that succeeded. */
export type OpAnswer = Omit<OpResult, 'client_id' | 'status' | 'error'> & { readonly id: string };

/** What an op asks for. */
export function hashOf({ op, type, id, payload }: Op, options: CreateOptions): string {
  const place = op === 'create' && Object.values(options).some((each) => each !== undefined) ? [options] : [];
  const sorted = JSON.stringify([op, type, id, payload, ...place], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex').slice(0, 24);
}

export function invalid(field: string, message: string, hint?: string): ToolFailure {
  return new ToolFailure('validation', message, { field, ...(hint !== undefined && { hint }) });
}
