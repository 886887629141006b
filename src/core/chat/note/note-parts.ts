import { setImmediate } from 'node:timers/promises';
import type { CallOutcome, ResultPart } from '../../../contract/tools';
import { fileExtension, type NotePart, printPart } from '../../../markdown';
import { isCut, type Log } from '../../foundation';
import type { Vault } from '../../vault';

/** Files and links of one result that stand in the note; more of them belong to no note. */
const mostBeside = 50;

/**
 * A result as it stands in the note. Images and sounds become files of the attachments folder; so does the whole of
 * a result above `limit` bytes, of which only the beginning stays.
 */
export async function noteParts(
  outcome: Pick<CallOutcome, 'parts' | 'at'>,
  tool: string,
  to: {
    readonly vault: Pick<Vault, 'writeBytes'>;
    readonly folder: string;
    readonly limit: number;
    readonly log: Log;
  },
): Promise<{ parts: NotePart[]; truncated: boolean }> {
  const stem = `${tool.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60)}-${stamp(outcome.at)}`;

  async function save(extension: string, bytes: Uint8Array): Promise<string | null> {
    const folder = to.folder.replace(/^\/+|(?<!\/)\/+$/g, '');
    try {
      return (await to.vault.writeBytes(`${folder ? `${folder}/` : ''}${stem}.${extension}`, bytes)).path;
    } catch (error) {
      to.log.warn('attachment not written', { tool, error });
      return null;
    }
  }

  let files = 0;
  let links = 0;
  let bytesOfLinks = 0;

  /** Null: there are too many of them. */
  async function notePart(part: ResultPart): Promise<NotePart | null> {
    switch (part.kind) {
      case 'text':
        return part;
      case 'json':
      case 'unknown':
        return { kind: 'json', value: part.value };
      case 'resource':
        return { kind: 'resource', uri: part.uri, text: part.text };
      case 'link': {
        const link: NotePart = { kind: 'link', uri: part.uri, name: part.name };
        const asText: NotePart = { kind: 'text', text: partText(link) };
        if (++links > mostBeside || link.name.length + link.uri.length > to.limit) return asText;
        const bytes = Buffer.byteLength(printPart(link));
        if (bytesOfLinks + bytes > to.limit) return asText;
        bytesOfLinks += bytes;
        return link;
      }
      case 'image':
      case 'audio': {
        if (++files > mostBeside) return null;
        const extension = fileExtension(part.mediaType);
        const path = await save(extension, Buffer.from(part.base64, 'base64'));
        if (path === null) return { kind: 'text', text: `(${part.mediaType}, could not be saved)` };
        return part.kind === 'image' && extension !== 'bin'
          ? { kind: 'picture', target: path }
          : { kind: 'file', target: path, name: path };
      }
    }
  }

  const parts: NotePart[] = [];
  for (const resultPart of outcome.parts) {
    const part = await notePart(resultPart);
    if (part) parts.push(part);
  }
  const rest = files - mostBeside;
  if (rest > 0) parts.push({ kind: 'text', text: `(${rest} more pictures and sounds were not kept.)` });
  const room = to.limit - bytesOfLinks;
  const isLong = Buffer.byteLength(parts.map(lengthy).join('\n\n')) > room;
  if (!isLong) return { parts, truncated: rest > 0 };
  return { parts: await asFile(parts, room, save), truncated: true };
}

/** The beginning, and a file with the whole. It may be tens of megabytes: others have their turn between each two steps. */
async function asFile(
  parts: readonly NotePart[],
  room: number,
  save: (extension: string, bytes: Uint8Array) => Promise<string | null>,
): Promise<NotePart[]> {
  await setImmediate();
  const isJson = parts.length === 1 && parts[0]?.kind === 'json';
  const whole = parts.map((part) =>
    part.kind === 'json' ? JSON.stringify(part.value, null, 2) : lengthy(part),
  );
  await setImmediate();
  const bytes = Buffer.from(whole.filter((text) => text !== '').join('\n\n'));
  await setImmediate();
  const path = await save(isJson ? 'json' : 'txt', bytes);
  const name = parts.map(lengthy).some(isCut) ? 'The result, cut' : 'The whole result';
  return [
    { kind: 'text', text: firstBytes(whole.join('\n\n'), room) },
    path === null
      ? { kind: 'text', text: 'The rest could not be saved.' }
      : { kind: 'file', target: path, name },
    ...parts.filter(isBeside),
  ];
}

/** A result as a model reads it, the same now and when the note is sent again. */
export function textOfParts(parts: readonly NotePart[]): string {
  return parts.map(partText).join('\n\n');
}

function partText(part: NotePart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'json':
      return JSON.stringify(part.value);
    case 'resource':
      return `${part.uri}\n${part.text}`;
    case 'picture':
      return `(picture: ${part.target})`;
    case 'link':
      return `${part.name}: ${part.uri}`;
    case 'file':
      return `${part.name}: ${part.target}`;
  }
}

/** What stands in the note in any case. */
const isBeside = ({ kind }: NotePart) => kind === 'picture' || kind === 'file' || kind === 'link';
/** What may be cut. */
const lengthy = (part: NotePart): string => (isBeside(part) ? '' : partText(part));

/** Whole characters, and whole lines where the cut costs less than a tenth. */
function firstBytes(text: string, limit: number): string {
  const cut = Buffer.from(text)
    .subarray(0, limit)
    .toString('utf8')
    .replace(/(?<!\ufffd)\ufffd+$/, '');
  const lineEnd = cut.lastIndexOf('\n');
  return lineEnd > cut.length * 0.9 ? cut.slice(0, lineEnd) : cut;
}

function stamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
}
