export type FindingCode =
  | 'invalid_status'
  | 'invalid_priority'
  | 'invalid_value'
  | 'misnamed_field'
  | 'type_mismatch'
  | 'no_type'
  | 'decided_but_pending'
  | 'no_such_entity'
  | 'wrong_parent'
  | 'waits_for_its_whole'
  | 'circle'
  | 'deadlock'
  | 'duplicate_id'
  | 'id_too_high'
  | 'no_id'
  | 'unreadable'
  | 'unclosed'
  | 'too_large'
  | 'unusable_name'
  | 'hidden'
  | 'dead_link'
  | 'no_file'
  | 'damaged_canvas'
  | 'dead_node'
  | 'double_node'
  | 'loose_edge'
  | 'damaged_record'
  | 'half_undone'
  | 'half_done';

/** What would put it right without losing a word. */
export type Repair =
  | {
      readonly kind: 'set';
      readonly field: string;
      readonly to: string | number | boolean | string[];
    }
  /** Takes an id out of a field. */
  | { readonly kind: 'drop'; readonly field: string; readonly id: string }
  /** Takes a field out of the front matter; what it held becomes a line of the text. */
  | { readonly kind: 'to-text'; readonly field: string }
  | { readonly kind: 'rename-field'; readonly field: string; readonly to: string }
  | { readonly kind: 'new-id' }
  /** Quotes or comments out the lines that can't be read, or closes the front matter where it ends. */
  | { readonly kind: 'mend' }
  | { readonly kind: 'rename'; readonly to: string }
  /** A record of the app or a canvas, with what of it can be read. */
  | { readonly kind: 'rewrite' };

export interface Finding {
  /** The same for the same trouble, as long as it lasts. */
  readonly key: string;
  /** Whether it is repaired along with all others, without being named. */
  readonly withAll: boolean;
  readonly code: FindingCode;
  readonly path: string;
  readonly id: string | null;
  readonly field: string | null;
  /** What is wrong there, as it is written; for a circle the way around. */
  readonly value: string | null;
  /** Null: only a person can. */
  readonly repair: Repair | null;
}
