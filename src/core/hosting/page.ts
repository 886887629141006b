import { isAppError } from '../../contract/errors';
import type { Vault } from '../vault';

/**
 * What a page of ours may load, in every host: its own files; inline styles only, since the editor makes style elements.
 * In frames, views of servers and nothing else, wherever they try to go: `frames` is their source.
 */
export function contentSecurityPolicy(frames: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const imageTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

const pictureLimit = 50 * 1024 * 1024;

export interface VaultImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** With these a picture stays one: an SVG opened by itself runs no script and sees no cookie. */
export function pictureHeaders(picture: VaultImage): Record<string, string> {
  return {
    'content-type': picture.type,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  };
}

/** The picture that `/files/<path>` means, `path` still percent-encoded; null for anything that is not a picture of the vault. */
export async function vaultImage(
  vault: Pick<Vault, 'readBytes'>,
  encodedPath: string,
): Promise<VaultImage | null> {
  try {
    const path = decodeURIComponent(encodedPath);
    const type = imageTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    if (type === undefined) return null;
    return { bytes: new Uint8Array(await vault.readBytes(path, pictureLimit)), type };
  } catch (error) {
    if (isAppError(error) || error instanceof URIError) return null;
    throw error;
  }
}
