import { Transform } from 'node:stream';

/** Bytes. A note may have half of them, and its line breaks and quotes are written with two. */
const longestLine = 10 * 1024 * 1024;
/** Of what is not kept, as much as tells whose it was. */
const edge = 256;
const newline = 0x0a;

/**
 * Lines of JSON-RPC, one message each. Of one that is too long the rest goes by unread, and `refuse` is given the answer to
 * it; those that follow are read as ever.
 */
export function boundedLines(refuse: (answer: string) => void, longest: number = longestLine): Transform {
  let length = 0;
  let head = Buffer.of();
  let tail = Buffer.of();

  function* partsToPass(chunk: Buffer): Iterable<Buffer> {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(newline, at);
      const part = chunk.subarray(at, end === -1 ? chunk.length : end);
      const room = longest - length;
      length += part.length;
      if (part.length <= room) yield chunk.subarray(at, end === -1 ? chunk.length : end + 1);
      // What is cut is no JSON, and so no message.
      else
        yield Buffer.concat([part.subarray(0, Math.max(0, room)), chunk.subarray(at + part.length, end + 1)]);
      if (head.length < edge) head = Buffer.concat([head, part.subarray(0, edge - head.length)]);
      tail = Buffer.concat([tail, part.subarray(-edge)]).subarray(-edge);
      at += part.length;
      if (end === -1) continue;
      if (length > longest) refuse(answerTo(idIn(head, tail), length, longest));
      at++;
      length = 0;
      head = Buffer.of();
      tail = Buffer.of();
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      for (const part of partsToPass(chunk)) this.push(part);
      callback();
    },
  });
}

/** Of the message itself: its first or its last key, as whatever writes messages has it. */
function idIn(head: Buffer, tail: Buffer): unknown {
  const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
  const id = '"id"\\s*:\\s*(\\d+|"[^"\\\\]*")';
  const match =
    new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}`).exec(head.toString()) ??
    new RegExp(`,\\s*${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`).exec(tail.toString());
  return match ? JSON.parse(match[1] ?? 'null') : null;
}

function answerTo(id: unknown, length: number, longest: number): string {
  const message = `The request has ${length} bytes; at most ${longest} are read.`;
  const data = { code: 'too_large', message };
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message, data } })}\n`;
}
