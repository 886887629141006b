import './no-eval';
import type { z } from 'zod';
import type { ErrorCode } from './errors';

/** A question with one answer. */
export interface Call<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  E extends ErrorCode = ErrorCode,
> {
  readonly kind: 'call';
  readonly input: I;
  readonly output: O;
  /** What it can fail with, besides what any request can. */
  readonly errors: readonly E[];
  /** A list to look at: an entry that does not fit is left out of it. */
  readonly entries: boolean;
}

/** A question answered by items, until the core ends it or the caller leaves. */
export interface Stream<
  I extends z.ZodType = z.ZodType,
  T extends z.ZodType = z.ZodType,
  E extends ErrorCode = ErrorCode,
> {
  readonly kind: 'stream';
  readonly input: I;
  readonly item: T;
  readonly errors: readonly E[];
  /** Every item replaces the one before: a slow reader may be given only the newest. */
  readonly isState: boolean;
}

export function call<I extends z.ZodType, O extends z.ZodType, E extends ErrorCode = never>(
  input: I,
  output: O,
  errors: readonly E[] = [],
): Call<I, O, E> {
  return { kind: 'call', input, output, errors, entries: false };
}

export function list<I extends z.ZodType, O extends z.ZodType, E extends ErrorCode = never>(
  input: I,
  output: O,
  errors: readonly E[] = [],
): Call<I, O, E> {
  return { kind: 'call', input, output, errors, entries: true };
}

export function stream<I extends z.ZodType, T extends z.ZodType, E extends ErrorCode = never>(
  input: I,
  item: T,
  errors: readonly E[] = [],
): Stream<I, T, E> {
  return { kind: 'stream', input, item, errors, isState: false };
}

export function state<I extends z.ZodType, T extends z.ZodType, E extends ErrorCode = never>(
  input: I,
  item: T,
  errors: readonly E[] = [],
): Stream<I, T, E> {
  return { kind: 'stream', input, item, errors, isState: true };
}

export type Operations = Readonly<Record<string, Call | Stream>>;

/** The operations of one kind, by name. */
export type NameOf<Ops, Kind extends 'call' | 'stream'> = {
  [N in keyof Ops]: Ops[N] extends { kind: Kind } ? N : never;
}[keyof Ops] &
  string;

/** What a caller writes: defaults may be left out. */
export type InputOf<Op> = Op extends { input: infer I extends z.ZodType } ? z.input<I> : never;
/** What a handler receives: defaults filled in. */
export type ParsedInputOf<Op> = Op extends { input: infer I extends z.ZodType } ? z.output<I> : never;
export type OutputOf<Op> = Op extends { output: infer O extends z.ZodType } ? z.output<O> : never;
export type ItemOf<Op> = Op extends { item: infer T extends z.ZodType } ? z.output<T> : never;

export interface RequestContext {
  /** Fires when the caller cancels or its connection closes. */
  readonly signal: AbortSignal;
}

/** One handler for every operation; leaving one out does not compile. */
export type Handlers<Ops> = {
  readonly [N in keyof Ops]: Ops[N] extends { kind: 'call' }
    ? (input: ParsedInputOf<Ops[N]>, context: RequestContext) => OutputOf<Ops[N]> | Promise<OutputOf<Ops[N]>>
    : (input: ParsedInputOf<Ops[N]>, context: RequestContext) => AsyncIterable<ItemOf<Ops[N]>>;
};
