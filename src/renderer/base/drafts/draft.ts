type Values = Readonly<Record<string, unknown>>;

/** What was changed in a form and is not saved, with what stood in the same fields when each was begun. */
export interface Draft {
  readonly base: Values;
  readonly mine: Values;
}

export const noDraft: Draft = { base: {}, mine: {} };

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What is left of it beside what is saved now: neither what has come true by another way nor what does not fit. */
export function beside(draft: Draft, now: object): Draft {
  const saved = new Map<string, unknown>(Object.entries(now));
  return only(draft, (name, mine) => {
    const value = saved.get(name);
    // What a form of another version has left is not taken.
    const fits = value === null || mine === null || typeof value === typeof mine;
    return saved.has(name) && fits && !same(value, mine);
  });
}

/** A field that is begun only now begins with what is saved now. */
export function withTyped(draft: Draft, now: object, changes: object): Draft {
  const mine = { ...draft.mine, ...changes };
  const begun = Object.entries(now).filter(([name]) => name in mine);
  return beside({ base: { ...Object.fromEntries(begun), ...draft.base }, mine }, now);
}

/** The fields that somebody else has saved another value of since they were begun here. */
export function overtakenFields(draft: Draft, now: object): string[] {
  const saved = new Map<string, unknown>(Object.entries(now));
  return Object.keys(beside(draft, now).mine).filter((name) => !same(saved.get(name), draft.base[name]));
}

/** The person has seen what is saved now and goes on with theirs. */
export function withSeen(draft: Draft, now: object): Draft {
  const begun = Object.entries(now).filter(([name]) => name in draft.mine);
  return beside({ ...draft, base: Object.fromEntries(begun) }, now);
}

/** What was typed as `sent` is saved as `as`; what was typed since goes on from there. */
export const sentAs = (draft: Draft, now: object, sent: Values, as: Values): Draft =>
  withSeen(
    only(draft, (name, mine) => !(name in sent) || !same(mine, sent[name])),
    { ...now, ...as },
  );

export function withoutOvertaken(draft: Draft, now: object): Draft {
  const obsolete = new Set(overtakenFields(draft, now));
  return only(draft, (name) => !obsolete.has(name));
}

export function only(draft: Draft, keeps: (name: string, mine: unknown) => boolean): Draft {
  const of = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name, draft.mine[name])));
  return { base: of(draft.base), mine: of(draft.mine) };
}

export const isEmpty = ({ mine }: Draft): boolean => Object.keys(mine).length === 0;

/** Null for what is none, or was written by another version. */
export function readDraft(read: unknown): Draft | null {
  if (!isObject(read) || !isObject(read.base) || !isObject(read.mine)) return null;
  return { base: { ...read.base }, mine: { ...read.mine } };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether what was typed is saved by going away from it: never what nobody has touched since it was shown. */
export const isSavedByLeaving = (draft: Draft, now: object, isTouched: boolean): boolean =>
  isTouched && !isEmpty(beside(draft, now)) && overtakenFields(draft, now).length === 0;
