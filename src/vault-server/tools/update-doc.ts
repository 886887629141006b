import { z } from 'zod';
import { headingsNamed } from '../../markdown';
import type { Entities } from '../entities/catalog';
import { idOf, readParts } from '../entities/read';
import { ToolFailure } from '../failures';
import type { Document } from '../files/document';
import { revisionOf } from '../files/hash';
import { checkRules } from '../insight/gate';
import { createLongDiffs } from '../long-diffs';
import { unifiedDiff } from '../unified-diff';
import { isNote } from '../workspaces';
import { defineTool, type Tool } from './define';
import { cut, noHeading } from './read-docs';
import type { VaultParts } from './shared';

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
  expected_hash: z.string().optional().describe('Or the revision: refuse if changed since it was read'),
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
  warnings: z.array(z.string()).optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

type Change = z.output<typeof input>;

const mostWarnings = 5;
const writable = /\.(?:md|markdown|txt)$/i;

export function updateDoc({ store, catalog }: VaultParts): Tool {
  const diffs = createLongDiffs();
  return defineTool({
    name: 'update_doc',
    title: 'Update document',
    description: 'Changes or creates a note. Give one of content, edits, append, section.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (change) => {
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
      const { before, after, warnings } = await store.change(async (draft) => {
        const present = await draft.read(path);
        const text = changed(present, change);
        const entities = await catalog.present();
        checkId(path, present, text, entities);
        const said = isNote(path)
          ? checkRules(entities, { path, before: present?.text ?? '', after: text })
          : [];
        return { before: present, after: await draft.write(path, text), warnings: said };
      });
      return diffs.first({
        path,
        hash: after.hash,
        ...(idOf(after.text) === null ? {} : { revision: revisionOf(after.text) }),
        created: before === null,
        changed: before?.hash !== after.hash,
        diff: unifiedDiff(path, before?.text ?? '', after.text),
        ...(warnings.length > 0 && { warnings: warnings.slice(0, mostWarnings) }),
      });
    },
  });
}

function changed(present: Document | null, change: Change): string {
  const { path, content, edits, append, section, expected_hash, create } = change;
  if (expected_hash !== undefined && !isHashOf(expected_hash, present)) {
    throw new ToolFailure('conflict', `“${path}” is not what was read.`, {
      field: 'expected_hash',
      hint: present ? `Its hash is now ${present.hash}. Read it again.` : 'It is gone.',
      ...(present && content !== undefined && { difference: differenceOf(present, content) }),
    });
  }
  if (present && create && append === undefined) {
    throw new ToolFailure('conflict', `“${path}” exists already.`, {
      field: 'create',
      hint: `Its hash is ${present.hash}.`,
    });
  }
  if (
    expected_hash === undefined &&
    present &&
    idOf(present.text) !== null &&
    (content ?? section) !== undefined
  ) {
    throw new ToolFailure(
      'validation',
      `“${path}” is the note of ${idOf(present.text)}; what replaces it needs its hash or revision.`,
      {
        field: 'expected_hash',
        hint: 'Read it and pass the hash that comes with it. edits and append need none.',
      },
    );
  }
  if (!present && !create) {
    throw new ToolFailure('not_found', `There is no note “${path}”.`, {
      field: 'path',
      hint: 'Pass create: true for a new one.',
    });
  }
  if (!present && (edits || section)) {
    throw new ToolFailure('not_found', `There is no note “${path}” to change.`, { field: 'path' });
  }
  const before = present?.text ?? '';
  // Matching is done with one kind of line end; a note that has the other one throughout keeps it.
  const windows = before.includes('\r\n') && !/(^|[^\r])\n/.test(before);
  const plain = (text: string): string => (windows ? text.replaceAll('\r\n', '\n') : text);
  const text = plain(before);
  const next =
    content !== undefined
      ? plain(content)
      : edits
        ? withEdits(text, edits, plain)
        : section
          ? withSection(path, text, section.heading, plain(section.content))
          : withAppended(text, plain(append ?? ''));
  return windows ? next.replaceAll('\n', '\r\n') : next;
}

/** A revision is the beginning of a hash. */
function isHashOf(expected: string, present: Document | null): boolean {
  return present !== null && (expected === present.hash || expected === revisionOf(present.text));
}

const longestDifference = 1_500;

function differenceOf({ path, text }: Document, content: string): string {
  return `from what is there now (-) to yours (+):\n${cut(unifiedDiff(path, text, content), longestDifference)}`;
}

/** An entity stays who it is, and no text makes a second one of an id; one of two with the same id may get another. */
function checkId(path: string, present: Document | null, text: string, entities: Entities): void {
  const id = idOf(text);
  const old = idOf(present?.text ?? '');
  if (id === old) return;
  const isOne = old !== null && entities.sharing(old).every((entity) => entity.path === path);
  if (isOne && entities.get(old)) {
    const problem = id === null ? readParts(text).problem : null;
    if (problem !== null) {
      throw new ToolFailure('validation', `The front matter of ${old} could not be read any more.`, {
        hint: problem,
      });
    }
    throw new ToolFailure('validation', `“${path}” is the note of ${old}; its id can’t be changed.`, {
      hint: 'Leave the line of its id, and the marks around its front matter, as they are.',
    });
  }
  if (id === null) return;
  const other = entities.sharing(id).find((entity) => entity.path !== path);
  if (!other) return;
  throw new ToolFailure('conflict', `${id} is the id of “${other.path}”.`, {
    hint: 'create_entity gives a new one.',
  });
}

function withEdits(
  before: string,
  edits: readonly { old: string; new: string }[],
  plain: (text: string) => string,
): string {
  let text = before;
  for (const [index, edit] of edits.entries()) {
    const old = plain(edit.old);
    const at = text.indexOf(old);
    const field = `edits.${index}.old`;
    if (at === -1) {
      throw new ToolFailure('not_found', `Edit ${index + 1}: the old text does not occur.`, {
        field,
        hint: 'It must match exactly, blanks and line breaks included. Nothing was changed.',
      });
    }
    if (text.indexOf(old, at + 1) !== -1) {
      throw new ToolFailure('validation', `Edit ${index + 1}: the old text occurs more than once.`, {
        field,
        hint: 'Take more of the text around it. Nothing was changed.',
      });
    }
    text = text.slice(0, at) + plain(edit.new) + text.slice(at + old.length);
  }
  return text;
}

function withSection(path: string, text: string, heading: string, content: string): string {
  const [found, second] = headingsNamed(text, heading);
  if (!found) throw noHeading(path, text, heading, 'section.heading');
  if (second) {
    throw new ToolFailure('validation', `“${path}” has several headings “${heading}”.`, {
      field: 'section.heading',
      hint: 'Name the one above it, too: "Part#Chapter".',
    });
  }
  const end = found.to < text.length ? '\n\n' : '\n';
  const body = content.replace(/^\n+/, '').trimEnd();
  return `${text.slice(0, found.bodyFrom)}\n${body === '' ? '' : `\n${body}`}${body === '' ? end.slice(1) : end}${text.slice(found.to)}`;
}

function withAppended(text: string, addition: string): string {
  return text === '' || text.endsWith('\n') ? text + addition : `${text}\n${addition}`;
}
