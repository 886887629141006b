/** What a checking process says. It is told two lines of JSON for each check: the schema and the value. */
export type FromChecker =
  | { readonly kind: 'ready' }
  /** It has read both lines, or has compiled the schema: its time runs from here. */
  | { readonly kind: 'begins' }
  /** `issues`: null where the schema's own recursion had no end. */
  | { readonly kind: 'checked'; readonly issues: readonly string[] | null }
  /** Nobody can check by this schema. */
  | { readonly kind: 'unusable'; readonly reason: string };
