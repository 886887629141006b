import type { Intake } from './intake';
import { longestKept } from './kept-values';
import { tooLong } from './limits';
import { BrokenMessage, readMessage } from './read-message';

/** A stream that ends at once must not be asked for again at once, whatever its server says. */
const leastRetryMs = 1_000;
/** What a line costs beside its bytes, so that a flood of empty ones counts, too. */
const lineBytes = 64;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * The events of a stream (`text/event-stream`), each held until it is whole, and at most `limit` bytes of it. Only what
 * can be read goes on, in a plain form; what cannot is told. `end`: no more comes of this stream.
 * One closure: every byte that comes moves the same line, event and count of what is held.
 */
export function createEventReader({
  limit,
  intake,
  onBroken,
}: {
  limit: number;
  intake: Intake;
  onBroken(broken: BrokenMessage): void;
}): { add(chunk: Uint8Array): Buffer; end(): void } {
  let line: Buffer[] = [];
  let event = noEvent();
  let heldBytes = 0;
  let afterReturn = false;
  let isFirst = true;

  function hold(bytes: number): void {
    heldBytes += bytes;
    intake.hold(bytes);
    if (heldBytes <= limit) return;
    intake.take(heldBytes);
    throw tooLong(limit);
  }

  function letGo(bytes: number): void {
    heldBytes -= bytes;
    intake.hold(-bytes);
  }

  function endLine(out: Buffer[]): void {
    const [only] = line;
    let bytes = only && line.length === 1 ? only : Buffer.concat(line);
    line = [];
    if (isFirst && bytes.subarray(0, 3).equals(byteOrderMark)) bytes = bytes.subarray(3);
    isFirst = false;
    const isData = bytes.length === 4 || bytes[4] === 0x3a ? bytes.subarray(0, 4).equals(dataName) : false;
    // The text of an event is counted when it is whole, and free where it was asked for.
    intake.take(isData ? 0 : bytes.length);
    if (bytes.length === 0) {
      const text = endEvent();
      if (text) out.push(text);
      return;
    }
    const colon = bytes.indexOf(0x3a);
    const name = (colon === -1 ? bytes : bytes.subarray(0, colon)).toString('latin1');
    const start = colon === -1 ? bytes.length : bytes[colon + 1] === 0x20 ? colon + 2 : colon + 1;
    const value = bytes.subarray(start);
    if (name === 'data') event.data.push(value);
    else {
      letGo(bytes.length + lineBytes);
      // Of the rest the last one holds, and none is long.
      const text = value.subarray(0, 1024).toString('utf8');
      if (name === 'event') event.type = text;
      else if (name === 'id') event.id = text;
      else if (name === 'retry' && /^\d{1,9}$/.test(text)) event.retry = Math.max(leastRetryMs, Number(text));
    }
  }

  function endEvent(): Buffer | null {
    const { data, ...fields } = event;
    event = noEvent();
    letGo(heldBytes);
    const isBlank = data.every((one) => one.length === 0);
    if (isBlank) return eventText(fields, data);
    const read = isMessage(fields.type) ? readable : shortWords;
    return eventText(fields, read(data, intake, onBroken));
  }

  return {
    add(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      const out: Buffer[] = [];
      const hasReturns = bytes.includes(carriageReturn);
      let start = 0;
      for (let at = lineEnd(bytes, 0, hasReturns); at !== -1; at = lineEnd(bytes, start, hasReturns)) {
        const isSecondHalf = afterReturn && at === start && bytes[at] === lineFeed;
        afterReturn = bytes[at] === carriageReturn;
        if (!isSecondHalf) {
          hold(at - start + lineBytes);
          line.push(bytes.subarray(start, at));
          endLine(out);
        }
        start = at + 1;
      }
      if (start < bytes.length) afterReturn = false;
      if (start < bytes.length) {
        hold(bytes.length - start);
        line.push(bytes.subarray(start));
      }
      return Buffer.concat(out);
    },
    end: () => letGo(heldBytes),
  };
}

/** The line as it came, or in a plainer form; none where it is no message. */
function readable(
  data: readonly Buffer[],
  intake: Intake,
  onBroken: (broken: BrokenMessage) => void,
): readonly Buffer[] {
  const all = Buffer.concat(data.flatMap((one, index) => (index === 0 ? [one] : [newLine, one])));
  const result = readMessage(all);
  switch (result.kind) {
    case 'message':
      intake.message(result.message, all.length);
      return result.isAsSent && data.length === 1 ? data : [Buffer.from(JSON.stringify(result.message))];
    case 'broken':
      intake.take(all.length);
      onBroken(result.broken);
      return [];
    case 'junk':
      intake.take(all.length);
      onBroken(new BrokenMessage({ code: 'no-event' }, null, true));
      return [];
  }
}

/** An event that is no message is kept: it says to which address one writes. */
function shortWords(
  data: readonly Buffer[],
  intake: Intake,
  onBroken: (broken: BrokenMessage) => void,
): readonly Buffer[] {
  const bytes = data.reduce((sum, one) => sum + one.length, 0);
  intake.take(bytes);
  if (bytes <= longestKept) return data;
  onBroken(new BrokenMessage({ code: 'long-value', most: longestKept, what: 'event' }, null));
  return [];
}

/** An event without a text gives a stream its id and its pause: what comes later is asked for from there. */
function eventText({ type, id, retry }: Fields, texts: readonly Buffer[]): Buffer | null {
  if (texts.length === 0 && id === null && retry === null) return null;
  const head = [
    ...(type === null ? [] : [`event: ${type}`]),
    ...(id === null ? [] : [`id: ${id}`]),
    ...(retry === null ? [] : [`retry: ${retry}`]),
  ];
  const lines = [
    ...head.map((text) => Buffer.from(text)),
    ...texts.map((one) => Buffer.concat([dataField, one])),
  ];
  return Buffer.concat([...lines.flatMap((one) => [one, newLine]), newLine]);
}

function lineEnd(bytes: Buffer, start: number, hasReturns: boolean): number {
  const feed = bytes.indexOf(lineFeed, start);
  if (!hasReturns) return feed;
  const back = bytes.indexOf(carriageReturn, start);
  return back === -1 ? feed : feed === -1 ? back : Math.min(feed, back);
}

interface Fields {
  type: string | null;
  id: string | null;
  retry: number | null;
}

const noEvent = (): Fields & { data: Buffer[] } => ({ data: [], type: null, id: null, retry: null });
const isMessage = (type: string | null) => type === null || type === '' || type === 'message';
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const dataName = Buffer.from('data');
const dataField = Buffer.from('data: ');
const newLine = Buffer.from('\n');
