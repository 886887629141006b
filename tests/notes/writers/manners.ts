import { appendFile, copyFile, open, readFile, rename, truncate, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Saves `text` in the place of what the file holds, as a program of some kind does. `pause`: milliseconds between its steps. */
export type Manner = (path: string, text: string, pause: number) => Promise<void>;

const pieces = (text: string, count: number): string[] => {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, at) => text.slice(at * length, (at + 1) * length));
};

async function inPieces(path: string, flags: string, parts: readonly string[], pause: number, first = 0) {
  const file = await open(path, flags);
  try {
    await wait(first);
    for (const part of parts) {
      await file.write(part);
      await wait(pause);
    }
  } finally {
    await file.close();
  }
}

/** Replacements of a whole file. */
export const replacing: Record<string, Manner> = {
  'writes in place at once': (path, text) => writeFile(path, text),
  'renames a new file over it': async (path, text) => {
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  },
  'empties it, and writes after a second': async (path, text, pause) => {
    await inPieces(path, 'w', [text], 0, 900 + pause);
  },
  'empties it, and writes in pieces': (path, text, pause) =>
    inPieces(path, 'w', pieces(text, 5), 100 + pause),
  'empties it, and writes in blocks without pause': (path, text) => inPieces(path, 'w', pieces(text, 40), 0),
  'empties it, closes it, and appends line by line': async (path, text, pause) => {
    await writeFile(path, '');
    for (const line of text.split(/(?<=\n)/)) {
      await wait(pause / 4);
      await appendFile(path, line);
    }
  },
  'empties it, closes it, and writes after a second': async (path, text) => {
    await truncate(path, 0);
    await wait(1_000);
    await writeFile(path, text);
  },
  'writes over it, and cuts it to length': async (path, text, pause) => {
    const file = await open(path, 'r+');
    for (const [at, part] of pieces(text, 3).entries()) {
      await file.write(
        Buffer.from(part),
        0,
        undefined,
        Buffer.byteLength(pieces(text, 3).slice(0, at).join('')),
      );
      await wait(pause);
    }
    await file.truncate(Buffer.byteLength(text));
    await file.close();
  },
  'removes it, and makes it anew': async (path, text, pause) => {
    await unlink(path);
    await wait(pause / 2);
    await writeFile(path, text);
  },
  'moves it to a backup, and makes it anew': async (path, text, pause) => {
    await rename(path, `${path}~`);
    await wait(pause / 2);
    await writeFile(path, text);
    await unlink(`${path}~`);
  },
  'moves it to a backup, and makes it anew in pieces': async (path, text, pause) => {
    await rename(path, `${path}~`);
    await inPieces(path, 'w', pieces(text, 4), 50 + pause);
    await unlink(`${path}~`);
  },
  'copies another file over it': async (path, text) => {
    await writeFile(`${path}.new`, text);
    await copyFile(`${path}.new`, path);
    await unlink(`${path}.new`);
  },
  'reserves its length, and fills it from the start': async (path, text, pause) => {
    const file = await open(path, 'w');
    await file.truncate(Buffer.byteLength(text));
    let at = 0;
    for (const part of pieces(text, 4)) {
      await wait(pause);
      at += (await file.write(Buffer.from(part), 0, undefined, at)).bytesWritten;
    }
    await file.close();
  },
  'fills it from the end': async (path, text, pause) => {
    const file = await open(path, 'w');
    const bytes = Buffer.from(text);
    const half = Math.floor(bytes.length / 2);
    await file.write(bytes.subarray(half), 0, undefined, half);
    await wait(pause);
    await file.write(bytes.subarray(0, half), 0, undefined, 0);
    await file.close();
  },
};

/** Additions below what it holds; each is given what it would write as a whole. */
export const appending: Record<string, Manner> = {
  'appends at once': async (path, text) => appendFile(path, await added(path, text)),
  'appends in pieces': async (path, text, pause) =>
    inPieces(path, 'a', pieces(await added(path, text), 5), 50 + pause),
  'opens it long before it appends': async (path, text, pause) =>
    inPieces(path, 'a', [await added(path, text)], 0, 2_000 + pause),
};

async function added(path: string, text: string): Promise<string> {
  const now = await readFile(path, 'utf8');
  return text.startsWith(now) ? text.slice(now.length) : `\n${text.trimEnd().split('\n').at(-1)}\n`;
}

export const manners = { ...replacing, ...appending };
