import { estimateTokenCount } from 'tokenx';
import { type NoteLink, type ResourceLink, sectionOf } from '../../../markdown';
import type { Notes } from '../../notes';
import type { Attachment } from '../../providers';
import type { Vault } from '../../vault';
import type { ResourceResult } from './resources';

export interface Expanded {
  readonly text: string;
  readonly attachments: Attachment[];
  /** `server`: it is a resource of that server, not a note. */
  readonly expanded: { target: string; server: string | null; characters: number; tokens: number }[];
  readonly attached: { target: string; mediaType: string; bytes: number }[];
  readonly brought: Brought[];
  readonly warnings: string[];
  /** Of the warnings: what was to go along and stays behind. */
  readonly unsent: string[];
}

/** What a link brought in, as it is sent. */
export interface Brought {
  readonly target: string;
  readonly server: string | null;
  readonly content: string;
}

export interface Reader {
  readonly vault: Pick<Vault, 'read' | 'readBytes' | 'findLinked'>;
  readonly notes: Pick<Notes, 'opened'>;
  readonly accepts: { readonly images: boolean; readonly pdf: boolean };
  /** Characters of a linked note that are sent. */
  readonly expandLimit: number;
  readonly resource: (link: ResourceLink) => Promise<ResourceResult>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
};
const largestAttachment = 20 * 1024 * 1024;

/**
 * `links`: where they stand in the text, in order. Puts linked notes in place of their first links, one level deep, and attaches embedded pictures and papers. What a server lends
 * stands below the text, under the name that the link has. Throws where a resource that is wanted now cannot be read.
 */
export async function expandLinks(
  text: string,
  links: readonly (NoteLink | ResourceLink)[],
  fromPath: string,
  reader: Reader,
): Promise<Expanded> {
  const result: Expanded = {
    text: '',
    attachments: [],
    expanded: [],
    attached: [],
    brought: [],
    warnings: [],
    unsent: [],
  };
  const resources = new Map<string, string>();
  const sent = new Set<string>();
  let out = '';
  let end = 0;
  for (const link of links) {
    if (link.from < end) continue;
    const source = text.slice(link.from, link.to);
    const replacement =
      'uri' in link
        ? await attachResource(link, source, reader, result, resources)
        : await replaceLink(link, source, { fromPath, reader, result, sent });
    out += text.slice(end, link.from) + replacement;
    end = link.to;
  }
  out += text.slice(end);
  // What was indented stays so: it may be code. What a picture leaves at the beginning is no indentation.
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  const words = out.trim() === '' ? '' : indent + out.trim();
  const parts = [words, ...resources.values()].filter((part) => part !== '');
  return { ...result, text: parts.join('\n\n') };
}

/** Once a message, however often it is linked to. */
async function attachResource(
  link: ResourceLink,
  source: string,
  reader: Reader,
  result: Expanded,
  resources: Map<string, string>,
): Promise<string> {
  const { name, server, uri } = link;
  const key = `${server} ${uri}`;
  if (resources.has(key)) return name;
  const resource = await reader.resource(link);
  if (resource.kind === 'not-read') {
    result.warnings.push(`${source} stays a link. ${resource.problem}`);
    return source;
  }
  if (resource.text.length > reader.expandLimit)
    result.warnings.push(`${source} is cut to its first ${reader.expandLimit} characters.`);
  const words = resource.text.slice(0, reader.expandLimit).toWellFormed().trim();
  resources.set(key, words === '' ? '' : `${name} (${uri}, from the server “${server}”):\n${words}`);
  if (words !== '') result.expanded.push({ target: uri, server, ...sizeOf(words) });
  const content = [words, ...resource.attachments.map(({ base64 }) => base64)].join('\n');
  result.brought.push({ target: uri, server, content });
  for (const attachment of resource.attachments) attach(attachment, uri, source, reader, result);
  return name;
}

export const sizeOf = (text: string) => ({ characters: text.length, tokens: estimateTokenCount(text) });

/** Where it cannot go along, the reason is among the warnings. */
function attach(
  attachment: Attachment,
  target: string,
  source: string,
  reader: Reader,
  result: Expanded,
): void {
  const { mediaType, base64 } = attachment;
  const bytes = Math.floor((base64.length * 3) / 4);
  const isPdf = mediaType === 'application/pdf';
  if (!isPdf && !Object.values(mediaTypes).includes(mediaType)) {
    result.warnings.push(`${source} is of a kind that cannot be sent (${mediaType}).`);
  } else if (!(isPdf ? reader.accepts.pdf : reader.accepts.images)) {
    notTaken(source, mediaType, result);
  } else if (bytes > largestAttachment) {
    result.warnings.push(`${source} is too large to be sent.`);
  } else {
    result.attachments.push(attachment);
    result.attached.push({ target, mediaType, bytes });
  }
}

function notTaken(source: string, mediaType: string, result: Expanded): void {
  const words = `${source} is not sent: this model does not take ${mediaType}.`;
  result.warnings.push(words);
  result.unsent.push(words);
}

/** A note or file goes along where it is first linked to; where it is linked to again its name is enough. */
async function replaceLink(
  link: NoteLink,
  source: string,
  {
    fromPath,
    reader,
    result,
    sent,
  }: { fromPath: string; reader: Reader; result: Expanded; sent: Set<string> },
): Promise<string> {
  if (link.target === '' || /^[a-z][a-z0-9+.-]+:/i.test(link.target)) return source;
  const path = reader.vault.findLinked(link.target, fromPath);
  if (path === null) {
    result.warnings.push(`${source} leads nowhere and is sent as written.`);
    return source;
  }
  const part = JSON.stringify([path, link.heading, link.block]);
  if (sent.has(part)) return source;
  sent.add(part);
  const extension = path.split('.').pop()?.toLowerCase() ?? '';
  if (extension === 'md') return expandNote(link, path, source, reader, result);
  if (link.kind === 'link') return source;

  const mediaType = mediaTypes[extension];
  if (!mediaType) {
    result.warnings.push(`${source} is of a kind that cannot be sent.`);
    return source;
  }
  if (mediaType === 'application/pdf' ? !reader.accepts.pdf : !reader.accepts.images) {
    notTaken(source, mediaType, result);
    return source;
  }
  const attachment = await readAttachment(path, reader.vault);
  if (!attachment) {
    result.warnings.push(`${source} could not be read and is not sent.`);
    return source;
  }
  attach(attachment, path, source, reader, result);
  result.brought.push({ target: path, server: null, content: attachment.base64 });
  return '';
}

async function expandNote(
  link: NoteLink,
  path: string,
  source: string,
  reader: Reader,
  result: Expanded,
): Promise<string> {
  const whole = await noteText(path, reader);
  const section = whole === null ? null : sectionOf(whole, link.heading, link.block);
  if (section === null) {
    result.warnings.push(
      whole === null ? `${source} could not be read.` : `${source}: the note has no such part.`,
    );
    return source;
  }
  if (section.length > reader.expandLimit) {
    result.warnings.push(`${source} is cut to its first ${reader.expandLimit} characters.`);
  }
  const sent = section.slice(0, reader.expandLimit).toWellFormed().trim();
  result.expanded.push({ target: path, server: null, ...sizeOf(sent) });
  result.brought.push({ target: path, server: null, content: sent });
  return sent;
}

/** An open note as it stands on the screen, any other as it stands on disk. */
async function noteText(path: string, { notes, vault }: Reader): Promise<string | null> {
  const opened = notes.opened(path);
  if (opened) return opened.text();
  try {
    return (await vault.read(path)).text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  } catch {
    return null;
  }
}

/** A picture or paper of the vault; null where it cannot be read or is too large. */
export async function readAttachment(
  path: string,
  vault: Pick<Vault, 'readBytes'>,
): Promise<Attachment | null> {
  const mediaType = mediaTypes[path.split('.').pop()?.toLowerCase() ?? ''];
  if (!mediaType) return null;
  try {
    const bytes = await vault.readBytes(path, largestAttachment);
    return { mediaType, base64: Buffer.from(bytes).toString('base64'), name: path.split('/').pop() ?? path };
  } catch {
    return null;
  }
}
