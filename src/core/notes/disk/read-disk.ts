import { isAppError } from '../../../contract/errors';
import { decodeNote, type Vault } from '../../vault';
import type { Session } from '../session/session';
import type { Base } from '../text/base';
import { type LineEnds, printLines, readLines } from '../text/line-ends';
import { type ForeignWriter, looksCut } from './foreign-writer';
import { readChanged } from './read-changed';

/** The note as another program may have left it. */
export interface DiskText {
  readonly doc: Base['doc'];
  readonly ends: LineEnds;
  readonly isCut: boolean;
  readonly version: string;
  readonly file: string;
  readonly modified: number;
}

async function textLike(bytes: Uint8Array, base: Base) {
  const changed = await readChanged(bytes, base);
  return changed && { ...changed, ends: base.ends };
}

function wholeText(text: string, base: Base) {
  const expected = printLines(base.doc, base.ends);
  const isGrown = expected !== '' && text.startsWith(expected) && !text.includes('\0');
  return { ...readLines(text), isGrown, isCut: looksCut(text, expected) };
}

/** `ms`: another program is still writing; to be read again after so long. What is no text yet may be the beginning of one. */
export async function readDisk({
  session,
  vault,
  writer,
  now,
}: {
  session: Session;
  vault: Vault;
  writer: ForeignWriter;
  now: () => number;
}): Promise<DiskText | { readonly ms: number }> {
  const { base } = session;
  try {
    const { bytes, ...file } = await vault.readRaw(session.path);
    if (file.version === base.hash) return { ...file, doc: base.doc, ends: base.ends, isCut: false };
    const text = (await textLike(bytes, base)) ?? wholeText(decodeNote(bytes, session.path), base);
    const disk = { ...file, ...text };
    // What only grew harms nobody who has nothing of his own in it.
    const ms = await writer.untilRest(disk, base.file);
    return ms === 0 || (text.isGrown && !session.isDirty()) ? disk : { ms };
  } catch (error) {
    if (!isAppError(error, 'vault.not-text')) throw error;
    const ms = await writer.untilRest(
      { isCut: true, version: 'no text', file: base.file, modified: now() },
      base.file,
    );
    if (ms === 0) throw error;
    return { ms };
  }
}
