import { kindOf } from './attachments';
import type { Attachment } from './provider';

const mostForPicture = 1_600;
const longestSide = 1_568;
const forPage = 2_000;

/**
 * About what an attachment costs in tokens: a picture by its area, shrunk to what vendors look at, a paper by its pages. Each vendor
 * counts in its own way; this is near the dearest of them.
 */
export function attachmentTokens(attachment: Attachment): number {
  const kind = kindOf(attachment);
  if (kind === 'image') return pictureTokens(attachment);
  if (kind !== 'pdf') return Math.ceil(attachment.base64.length / 4);
  const text = Buffer.from(attachment.base64, 'base64').toString('latin1');
  const pages = text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  // Where pages are packed away, by what a page usually weighs.
  return forPage * Math.max(1, pages || Math.ceil(text.length / 50_000));
}

function pictureTokens({ base64 }: Attachment): number {
  const size = sizeOf(Buffer.from(base64.slice(0, 87_380), 'base64'));
  if (size === null) return mostForPicture;
  const scale = Math.min(1, longestSide / Math.max(size.width, size.height));
  return Math.max(1, Math.min(mostForPicture, Math.ceil((size.width * size.height * scale * scale) / 750)));
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** From the headers of PNG, GIF and JPEG. */
function sizeOf(bytes: Buffer): Size | null {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.length >= 10 && bytes.toString('latin1', 0, 3) === 'GIF')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker < 0xff00) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
