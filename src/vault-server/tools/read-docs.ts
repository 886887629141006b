import { z } from 'zod';
import { isUnder } from '../../contract/paths';
import { cut } from '../../entities/base/cut-text';
import { FailureRecord, ToolFailure, toFailure } from '../../entities/base/failures';
import { plainEnds } from '../../entities/base/line-ends';
import { handOut, plainPlace, printHash } from '../../entities/entity/handed-out/handed-text';
import type { Span } from '../../entities/entity/handed-out/seen';
import type { Document } from '../../entities/store/batch/document';
import type { VaultFile } from '../../entities/store/tree/vault-file';
import { workspaceNamed } from '../../entities/store/workspaces';
import { printCursor, readCursor } from '../cursor';
import { defineTool, reads, type Tool } from './define';
import { headingsCalled, noHeading } from './headings';
import type { VaultParts } from './shared';

/** Characters of text in one answer, over all documents. */
const mostText = 60_000;

const input = z.strictObject({
  workspace: z.string().optional().describe('Paths may then be relative to it'),
  paths: z.array(z.string().min(1)).min(1).max(50),
  from_line: z.int().min(1).optional(),
  max_lines: z.int().min(1).optional(),
  headings: z.array(z.string()).min(1).max(20).optional().describe('Only the sections under these'),
  cursor: z.string().optional(),
});

const output = z.object({
  docs: z.array(
    z.object({
      path: z.string(),
      hash: z.string().optional(),
      text: z.string().optional(),
      total_lines: z.number().optional(),
      truncated: z.boolean().optional(),
      error: FailureRecord.optional(),
    }),
  ),
  truncated: z.boolean(),
  cursor: z.string().optional(),
});

const Place = z.object({ index: z.int().min(0), offset: z.int().min(0), hash: z.string() });
type Doc = z.input<typeof output>['docs'][number];

export function readDocs({ store, entityIndex: { versions } }: VaultParts): Tool {
  return defineTool({
    name: 'read_docs',
    title: 'Read documents',
    description: 'Text of notes, or of sections or lines of them, with a hash for update_doc.',
    input,
    output,
    annotations: reads,
    run: async (request, seen) => {
      // All of it: the hash counts as read what comes before the place, and that depends on each of these.
      const { cursor, ...rest } = request;
      const question = ['read_docs', rest] as const;
      const place = cursor === undefined ? null : readCursor(Place, cursor, question);
      const folder =
        request.workspace === undefined ? '' : (await workspaceNamed(store, request.workspace)).path;
      const paths = request.paths.map((path) => (isUnder(path, folder) ? path : `${folder}/${path}`));
      const docs: Doc[] = [];
      let room = mostText;
      for (const [index, path] of paths.entries()) {
        if (place && index < place.index) continue;
        if (room <= 0)
          return { docs, truncated: true, cursor: printCursor({ index, offset: 0, hash: '' }, question) };
        try {
          const document = await store.find(path);
          if (!document) throw noNote(path, await store.list());
          const offset = place?.index === index ? place.offset : 0;
          if (offset > 0 && place?.hash !== document.hash) {
            throw new ToolFailure('conflict', `“${path}” was changed since the first part was read.`, {
              hint: 'Read it from the start.',
            });
          }
          const pieces = piecesOf(document, request.headings);
          const whole = pieces.map(({ text }) => text).join('');
          const [start, last] = linesOf(whole, request);
          const text = cut(whole.slice(start + offset, last), room);
          room -= text.length;
          const end = offset + text.length;
          const more = start + end < last;
          handOut(document, spansIn(pieces, start + offset, start + end), { seen, versions });
          const { hash } = document;
          docs.push({
            path,
            // Whoever goes on came by the cursors of what is before.
            hash: printHash(document, spansIn(pieces, start, start + end)),
            text,
            total_lines: countLines(document.text),
            ...(more ? { truncated: true } : {}),
          });
          if (more)
            return { docs, truncated: true, cursor: printCursor({ index, offset: end, hash }, question) };
        } catch (error) {
          const failure = toFailure(error);
          if (paths.length === 1 || failure.code === 'path_outside_vault') throw error;
          docs.push({ path, error: failure });
        }
      }
      return { docs, truncated: false };
    },
  });
}

/** Of what is handed out of a note: its text, and where in the note it stands. Null: nowhere. */
interface Piece {
  readonly text: string;
  readonly at: number | null;
}

/** Headings are looked for with one kind of line end; the text is given as it is in the file otherwise. */
function piecesOf(document: Document, headings: readonly string[] | undefined): readonly Piece[] {
  if (!headings) return [{ text: document.text, at: 0 }];
  const text = plainEnds(document.text);
  return headings.flatMap((heading, index) => {
    const matches = headingsCalled(text, heading);
    if (matches.length === 0) throw noHeading(document.path, text, heading, 'headings');
    return matches.flatMap(({ from, to }, at) => {
      const section = { text: text.slice(from, to).trimEnd(), at: from };
      return index + at === 0 ? [section] : [{ text: '\n\n', at: null }, section];
    });
  });
}

/** From where to where the lines reach that were asked for. */
function linesOf(text: string, { from_line = 1, max_lines }: z.output<typeof input>): [number, number] {
  const after = (place: number, lines: number): number => {
    let at = place;
    for (let line = 0; line < lines && at <= text.length; line++) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length + 1 : end + 1;
    }
    return at;
  };
  const from = Math.min(after(0, from_line - 1), text.length);
  const to = max_lines === undefined ? text.length : Math.max(after(from, max_lines) - 1, from);
  return [from, Math.min(to, text.length)];
}

/** The places in the note of a part of its pieces. */
function spansIn(pieces: readonly Piece[], from: number, to: number): Span[] {
  let start = 0;
  return pieces.flatMap(({ text, at }) => {
    const [begin, end] = [Math.max(from - start, 0), Math.min(to - start, text.length)];
    start += text.length;
    return at === null || begin >= end
      ? []
      : [[at + plainPlace(text, begin), at + plainPlace(text, end)] as const];
  });
}

function noNote(path: string, files: readonly VaultFile[]): ToolFailure {
  const nameOf = (each: string): string => each.slice(each.lastIndexOf('/') + 1).toLowerCase();
  const name = nameOf(path);
  const near = files.filter((file) => nameOf(file.path) === name || nameOf(file.path) === `${name}.md`);
  return new ToolFailure('not_found', `There is no “${path.slice(0, 200)}”.`, {
    hint:
      near.length > 0
        ? `Nearest: ${near
            .slice(0, 3)
            .map((file) => file.path)
            .join(', ')}`
        : 'list_files gives the paths.',
  });
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines++;
  return lines;
}
