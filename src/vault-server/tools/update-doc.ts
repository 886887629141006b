import { z } from 'zod';
import { ToolFailure } from '../../entities/base/failures';
import { revisionOf } from '../../entities/base/hash';
import { plainEnds, withPlainEnds } from '../../entities/base/line-ends';
import { diffSinceRead, diffToYours, type Shown, waysOn } from '../../entities/base/refusal-words';
import { unifiedDiff } from '../../entities/base/unified-diff';
import {
  fieldsKept,
  handedOf,
  handOut,
  knows,
  plainPlace,
  printHash,
  revisionWith,
  spansOfHash,
} from '../../entities/entity/handed-out/handed-text';
import type { Seen, Span } from '../../entities/entity/handed-out/seen';
import type { Versions } from '../../entities/entity/handed-out/versions';
import { bodyOf } from '../../entities/entity/note/note-text';
import { idOf } from '../../entities/entity/note/read';
import { checkRules } from '../../entities/insight/gate';
import type { Document } from '../../entities/store/batch/document';
import { isNote } from '../../entities/store/workspaces';
import { createLongDiffs } from '../long-diffs';
import { checkId } from './check-id';
import { defineTool, type Tool } from './define';
import type { VaultParts } from './shared';
import * as splicesOf from './splices';

const input = z.strictObject({
  path: z.string().min(1),
  content: z.string().optional(),
  edits: z
    .array(z.strictObject({ old: z.string().min(1), new: z.string() }))
    .min(1)
    .max(100)
    .optional()
    .describe('Each old occurs exactly once'),
  append: z.string().optional(),
  section: z
    .strictObject({ heading: z.string().min(1), content: z.string() })
    .optional()
    .describe('Replaces the text under a heading, subsections included'),
  expected_hash: z
    .string()
    .optional()
    .describe('Or the revision, as it came with what you replace: it says what was read, and no more'),
  create: z.boolean().default(false).describe('A new note; with append: if missing'),
  cursor: z.string().optional().describe('With path alone: the rest of a diff'),
});

const output = z.object({
  path: z.string(),
  hash: z.string(),
  /** Of an entity's note. */
  revision: z.string().optional(),
  created: z.boolean(),
  changed: z.boolean(),
  diff: z.string(),
  /** What others changed since the caller read it. */
  difference: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

type Change = z.output<typeof input>;
interface Around {
  readonly seen: Seen;
  readonly versions: Versions;
}

const isForNew = ({ create, append }: Change) => create && append === undefined;

const mostWarnings = 5;
const writable = /\.(?:md|markdown|txt)$/i;

export function updateDoc({ store, entityIndex }: VaultParts): Tool {
  const diffs = createLongDiffs();
  return defineTool({
    name: 'update_doc',
    title: 'Update document',
    description:
      'Changes or creates a note. Give one of content, edits, append, section. What you have not read is not replaced.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (change, seen) => {
      const ways = [change.content, change.edits, change.append, change.section].filter(
        (way) => way !== undefined,
      );
      const { path, cursor } = change;
      if (ways.length !== (cursor === undefined ? 1 : 0)) {
        throw new ToolFailure(
          'validation',
          'Give exactly one of content, edits, append and section, or a cursor and none of them.',
        );
      }
      if (cursor !== undefined) return diffs.next(path, cursor);
      await store.find(path);
      if (!writable.test(path)) {
        throw new ToolFailure('validation', 'Only notes can be written (.md, .markdown or .txt).', {
          field: 'path',
        });
      }
      const around = { seen, versions: entityIndex.versions };
      const { before, after, spans, warnings, laterChange } = await store.change(async (draft) => {
        const present = await draft.read(path);
        const entities = await entityIndex.present();
        const tried = (present ? !isForNew(change) : change.create) ? tryOn(present, change) : null;
        let ruleWarnings: readonly string[] = [];
        // Before what was not read: nobody is told to repeat what is refused then.
        if (tried !== null && !(tried instanceof ToolFailure)) {
          const after = tried.text;
          checkId(path, present, after, entities, entityIndex.changedAt.hasTimeOf);
          if (isNote(path)) ruleWarnings = checkRules(entities, { path, before: present?.text ?? '', after });
        }
        const { text, spans } = planFor(present, change, around);
        const laterChange =
          present && change.expected_hash === undefined ? changedSinceRead(present, around) : null;
        return {
          before: present,
          after: await draft.write(path, text),
          spans,
          warnings: ruleWarnings,
          laterChange,
        };
      });
      handOut(after, spans, around);
      const handed = handedOf(after, seen);
      const revision = revisionWith(after, handed, fieldsKept(before, after, change.expected_hash));
      return diffs.first({
        path,
        hash: printHash(after, handed),
        ...(revision !== null && { revision }),
        created: before === null,
        changed: before?.hash !== after.hash,
        diff: unifiedDiff(path, before?.text ?? '', after.text),
        ...(laterChange !== null && { difference: laterChange }),
        ...(warnings.length > 0 && { warnings: warnings.slice(0, mostWarnings) }),
      });
    },
  });
}

interface Planned {
  readonly text: string;
  /** What the caller knows of the new text: what it knew of the old one, and what it put there itself. */
  readonly spans: readonly Span[];
}

function planFor(present: Document | null, change: Change, around: Around): Planned {
  const { path, content, expected_hash, create } = change;
  if (expected_hash !== undefined) {
    const spans = present && spansOfHash(present, expected_hash);
    if (!spans) throw stale(change, present, around.versions.text(expected_hash));
    if (present && spans.length > 0) around.seen.read(path, present.hash, spans);
  }
  if (present && isForNew(change)) {
    throw refusal('conflict', `“${path}” exists already.`, present, change, {
      field: 'create',
      read: `Read it first with ${readCall(present)}`,
      hold: 'if yours is to replace it',
      differences: ({ path, text }, after) => [diffToYours(path, text, after ?? text)],
    });
  }
  if (!present && !create) {
    throw new ToolFailure('not_found', `There is no note “${path}”.`, {
      field: 'path',
      hint: 'Pass create: true for a new one.',
    });
  }
  if (!present && (change.edits || change.section)) {
    throw new ToolFailure('not_found', `There is no note “${path}” to change.`, { field: 'path' });
  }
  const plan = splicesFor(present, change);
  // The old text of edits says itself what goes.
  if (present && !change.edits && plan.text !== present.text) {
    for (const span of goneBy(plan)) {
      if (knows(present, span, around.seen)) continue;
      const reading = around.seen.textOf(path);
      const isLate = reading !== null && reading.hash !== present.hash;
      throw isLate ? stale(change, present, around.versions.text(reading.hash)) : unread(change, present);
    }
  }
  const whole: Span = [0, plainPlace(plan.text, plan.text.length)];
  return { text: plan.text, spans: content === undefined ? spansAfter(present, plan, around.seen) : [whole] };
}

/** Matching is done with one kind of line end. */
function splicesFor(present: Document | null, { path, content, edits, append, section }: Change) {
  const text = present?.text ?? '';
  const { plain: before, after } = withPlainEnds(text);
  const isWindows = text.includes('\r\n');
  const plain = (each: string): string => (isWindows ? plainEnds(each) : each);
  const splices =
    content !== undefined
      ? [{ from: 0, to: before.length, text: markOf(text, content) + plain(content) }]
      : edits
        ? splicesOf.edits(before, edits, plain)
        : section
          ? [splicesOf.section(path, before, section.heading, plain(section.content))]
          : [splicesOf.addition(before, plain(append ?? ''))];
  return { before, splices, text: after(splices) };
}

function goneBy({ before, splices }: ReturnType<typeof splicesFor>): Span[] {
  return splices.map(({ from, to }) => [plainPlace(before, from), plainPlace(before, to)]);
}

/** Nobody who writes a text anew thinks of its byte order mark. */
function markOf(before: string, content: string): string {
  return before.startsWith('\uFEFF') && !content.startsWith('\uFEFF') ? '\uFEFF' : '';
}

function spansAfter(
  present: Document | null,
  { before, splices }: ReturnType<typeof splicesFor>,
  seen: Seen,
): readonly Span[] {
  // Half of a line end may become a whole one, and no place is where it was.
  if (before.includes('\r') || splices.some(({ text }) => text.includes('\r'))) return [];
  const reading = seen.textOf(present?.path ?? '');
  let spans: Span[] = reading && reading.hash === present?.hash ? [...reading.spans] : [];
  for (const { from, to, text } of splices) {
    const later = text.length - (to - from);
    const outsideSpans = spans.flatMap(([begin, end]): Span[] => [
      [begin, Math.min(end, from)],
      [Math.max(begin, to) + later, end + later],
    ]);
    spans = [...outsideSpans.filter(([begin, end]) => begin < end), [from, from + text.length]];
  }
  return spans;
}

/** Why it can’t be made, where it can’t. */
function tryOn(present: Document | null, change: Change): ReturnType<typeof splicesFor> | ToolFailure {
  try {
    return splicesFor(present, change);
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
}

function unread(change: Change, present: Document): ToolFailure {
  const whose = idOf(present.text);
  const what = whose === null ? `“${present.path}”` : `“${present.path}”, the note of ${whose},`;
  const message = `${what} has text that this would replace and you have not read.`;
  return refusal('revision_needed', message, present, change, {
    field: 'expected_hash',
    read: `Read all that it replaces, ${readAll(present)}; or ${inPassages}`,
    hold: 'to replace it unread',
    differences: ({ path, text }, after) => [diffToYours(path, text, after ?? '')],
  });
}

/** `textRead` is what the caller changed; null where nobody knows it any more. */
function stale(change: Change, present: Document | null, textRead: string | null): ToolFailure {
  const message = `“${change.path}” was changed since it was read.`;
  const field = 'expected_hash';
  if (!present) return new ToolFailure('conflict', message, { field, hint: 'It is gone.' });
  return refusal('conflict', message, present, change, {
    field,
    read: `Read it again with ${readCall(present)}`,
    hold: 'if yours is to hold against this difference',
    differences: ({ path, text }, after) => [
      ...(textRead === null ? [] : [diffSinceRead(path, textRead, text)]),
      // Also what nobody touched goes by the change, and may never have been read.
      ...(textRead === null || (after !== null && after !== text)
        ? [diffToYours(path, text, after ?? '')]
        : []),
    ],
  });
}

const inPassages = 'use edits or append, which need none';
const readCall = ({ path }: Document) => `read_docs ${JSON.stringify({ paths: [path] })}`;
const readAll = (present: Document) =>
  `${readCall(present)} with its cursor to the end, and pass the hash that comes last`;

function refusal(
  code: 'conflict' | 'revision_needed',
  message: string,
  present: Document,
  change: Change,
  parts: {
    readonly field: string;
    readonly read: string;
    readonly hold: string;
    /** `after` is null where the change can't be made to what is there now. */
    readonly differences: (present: Document, after: string | null) => readonly Shown[];
  },
): ToolFailure {
  const { field, read, hold } = parts;
  const tried = tryOn(present, change);
  const cannot = tried instanceof ToolFailure;
  const difference = parts.differences(present, cannot ? null : tried.text);
  const only = isForNew(change) ? ' and no create' : '';
  const hint = waysOn({
    hidden: difference.reduce((sum, { hidden }) => sum + hidden, 0),
    readAll: `${readAll(present)}${only}`,
    read,
    hold,
    instead: change.edits ? undefined : inPassages,
    // The hash stands for what the change replaces, and for nothing else of the note.
    repeat: cannot
      ? null
      : `repeat the same with "expected_hash": "${printHash(present, goneBy(tried))}"${only}`,
  });
  return new ToolFailure(code, message, {
    field,
    hint: cannot ? `${hint} The change can’t be made to what is there now: ${tried.message}` : hint,
    difference: difference.map(({ text }) => text).join('\n'),
  });
}

/** The new hash stands for text that the caller has not seen, unless it is told. */
function changedSinceRead(present: Document, { seen, versions }: Around): string | null {
  const { path, text, hash } = present;
  const id = idOf(text);
  const revision = id === null ? undefined : seen.of(id).get('body');
  if (revision === revisionOf(text)) return null;
  const reading = seen.textOf(path);
  const [before, now] =
    reading !== null
      ? [reading.hash === hash ? text : versions.text(reading.hash), text]
      : id !== null && revision !== undefined
        ? [versions.find(id, revision)?.body ?? null, bodyOf(text)]
        : [text, text];
  if (before === now) return null;
  return before === null
    ? 'It was changed since it was read, and what it was is not known here any more: read it again.'
    : diffSinceRead(path, before, now, 'was there before this change').text;
}
