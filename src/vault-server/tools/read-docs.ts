import { z } from 'zod';
import { findHeadings, headingsNamed } from '../../markdown';
import { printCursor, readCursor } from '../cursor';
import { FailureRecord, ToolFailure, toFailure } from '../failures';
import type { Document } from '../files/document';
import type { VaultFile } from '../files/tree';
import { isIn, workspaceNamed } from '../workspaces';
import { defineTool, reads, type Tool } from './define';
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

export function readDocs({ store }: VaultParts): Tool {
  return defineTool({
    name: 'read_docs',
    title: 'Read documents',
    description: 'Text of notes, or of sections or lines of them, with a hash for update_doc.',
    input,
    output,
    annotations: reads,
    run: async (request) => {
      const place = request.cursor === undefined ? null : readCursor(Place, request.cursor);
      const folder =
        request.workspace === undefined ? '' : (await workspaceNamed(store, request.workspace)).path;
      const paths = request.paths.map((path) => (isIn(folder, path) ? path : `${folder}/${path}`));
      const docs: Doc[] = [];
      let room = mostText;
      for (const [index, path] of paths.entries()) {
        if (place && index < place.index) continue;
        if (room <= 0) return { docs, truncated: true, cursor: printCursor({ index, offset: 0, hash: '' }) };
        try {
          const document = await store.find(path);
          if (!document) throw noNote(path, await store.list());
          const offset = place?.index === index ? place.offset : 0;
          if (offset > 0 && place?.hash !== document.hash) {
            throw new ToolFailure('conflict', `“${path}” was changed since the first part was read.`, {
              hint: 'Read it from the start.',
            });
          }
          const wanted = partOf(document, request);
          const text = cut(wanted.slice(offset), room);
          room -= text.length;
          const end = offset + text.length;
          const more = end < wanted.length;
          const { hash } = document;
          docs.push({
            path,
            hash,
            text,
            total_lines: countLines(document.text),
            ...(more ? { truncated: true } : {}),
          });
          if (more) return { docs, truncated: true, cursor: printCursor({ index, offset: end, hash }) };
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

function partOf(document: Document, request: z.output<typeof input>): string {
  const { headings, from_line = 1, max_lines } = request;
  // Headings are looked for with one kind of line end; the text is given as it is in the file otherwise.
  const text = headings ? sectionsOf(document, headings) : document.text;
  if (from_line === 1 && max_lines === undefined) return text;
  const lines = text.split('\n');
  return lines
    .slice(from_line - 1, max_lines === undefined ? undefined : from_line - 1 + max_lines)
    .join('\n');
}

function sectionsOf(document: Document, headings: readonly string[]): string {
  const text = document.text.replaceAll('\r\n', '\n');
  return headings
    .map((heading) => {
      const found = headingsNamed(text, heading)[0];
      if (found) return text.slice(found.from, found.to).trimEnd();
      throw noHeading(document.path, text, heading, 'headings');
    })
    .join('\n\n');
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

export function noHeading(path: string, text: string, heading: string, field: string): ToolFailure {
  const known = findHeadings(text).map((each) => each.title);
  return new ToolFailure('not_found', `“${path}” has no heading “${heading}”.`, {
    field,
    hint: `Its headings: ${known.slice(0, 30).join(' | ') || 'none'}`,
  });
}

/** Not in the middle of a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff && length > 1 ? length - 1 : length);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines++;
  return lines;
}
