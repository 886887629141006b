import { escapeHidden } from './hidden';

/** Media types whose files only show something when they are opened. An SVG can hold scripts: it is not among them. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/heic': 'heic',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/webm': 'weba',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/plain': 'txt',
  'text/csv': 'csv',
};

const endings = new Set(Object.values(extensions));

/** How a file of somebody else's ends: by a type of the list, else as bytes that no program opens by itself. */
export function fileExtension(mediaType: string): string {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? 'bin') : 'bin';
}

/** Code points: with four bytes each and an ending they are less than the 255 bytes that a file system takes. */
const longest = 60;
const windowsReserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * A name for a file of somebody else's that somebody else chose: its last part, in characters that every system takes
 * and a person sees. An ending that only shows something stays; after any other comes the one of its media type.
 */
export function fileName(name: string, mediaType: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? '';
  const plain = escapeHidden(last.toWellFormed().normalize('NFC'), () => '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/["*:<>?|]/g, '-')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
    .replace(windowsReserved, '_$&');
  const [, own = ''] = /\.([a-z0-9]+)$/i.exec(plain) ?? [];
  const isKept = endings.has(own.toLowerCase());
  const stem = [...(isKept ? plain.slice(0, -own.length - 1) : plain)].slice(0, longest).join('').trim();
  return `${stem || 'file'}.${isKept ? own : fileExtension(mediaType)}`;
}
