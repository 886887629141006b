/** What is read in one turn of the event loop. */
const atOnce = 8 * 1024;
/** A slice that took longer is followed by a rest twice as long: who sends without end gets a third of the time at most. */
const pace = { freeMs: 8, rest: 2, mostMs: 250 };

/** Cuts what came into slices; after each one everybody else has a turn before the next. */
export async function* inSlices(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += atOnce) {
      const before = process.cpuUsage();
      yield Buffer.from(chunk.buffer, chunk.byteOffset + at, Math.min(atOnce, chunk.length - at));
      await new Promise((resolve) => setImmediate(resolve));
      // Work, not time: where others have the processor nobody has to rest as well.
      const { user, system } = process.cpuUsage(before);
      const spent = (user + system) / 1_000;
      if (spent > pace.freeMs)
        await new Promise((resolve) => setTimeout(resolve, Math.min(pace.mostMs, spent * pace.rest)));
    }
}
