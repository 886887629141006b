import type { ResourceContent } from '../../../contract/mcp';
import { fileName } from '../../../markdown';
import type { FileToSave } from './messages';

/** A file that a view wants to have saved, under a name by which nothing runs. */
export interface AskedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes of all files that are asked for at once. */
const largestFiles = 16 * 1_048_576;

/** What the person is to be asked for. What a view only links to is fetched by `read` and in no other way. */
export async function askedFiles(
  requests: readonly FileToSave[],
  read: (uri: string) => Promise<readonly ResourceContent[]>,
): Promise<readonly AskedFile[] | 'broken' | 'too-large'> {
  const files: AskedFile[] = [];
  let room = largestFiles;
  for (const file of requests) {
    for (const { name, mediaType, text, base64 } of await contentsOf(file, read)) {
      if (text === null && base64 === null) return 'broken';
      // Four signs of base64 are three bytes: what is too large is not unpacked to learn that.
      if ((text ?? '').length > room || ((base64 ?? '').length / 4) * 3 - 2 > room) return 'too-large';
      const bytes = base64 === null ? new TextEncoder().encode(text ?? '') : unpacked(base64);
      if (bytes === null) return 'broken';
      room -= bytes.length;
      if (room < 0) return 'too-large';
      files.push({ name: fileName(name, mediaType ?? (base64 === null ? 'text/plain' : '')), bytes });
    }
  }
  return files;
}

type Named = Omit<ResourceContent, 'uri'> & { readonly name: string };

async function contentsOf(
  file: FileToSave,
  read: (uri: string) => Promise<readonly ResourceContent[]>,
): Promise<readonly Named[]> {
  if (file.type === 'resource') {
    const { uri, mimeType = null, text = null, blob = null } = file.resource;
    return [{ name: plain(uri), mediaType: mimeType, text, base64: blob }];
  }
  const contents = await read(file.uri);
  return contents.map((content) => ({
    ...content,
    mediaType: content.mediaType ?? file.mimeType ?? null,
    name: contents.length === 1 && file.name ? file.name : plain(content.uri),
  }));
}

/** An address without what belongs to no name. */
function plain(uri: string): string {
  const path = uri.replace(/[?#].*/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function unpacked(base64: string): Uint8Array<ArrayBuffer> | null {
  let signs: string;
  try {
    signs = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at++) bytes[at] = signs.charCodeAt(at);
  return bytes;
}
