import { readFile, rename } from 'node:fs/promises';
import type { z } from 'zod';
import { durableWrite } from '../../files';
import { createOneAtATime } from './one-at-a-time';

export interface JsonFile<T> {
  /** The file's value; the schema's defaults where there is none. A damaged file is set aside first, see `onDamaged`. */
  read(): Promise<T>;
  write(value: T): Promise<void>;
}

/** One JSON file: checked when read, replaced whole and durably when written. */
export function createJsonFile<S extends z.ZodType>(
  path: string,
  schema: S,
  onDamaged: (setAsidePath: string, reason: string) => void,
): JsonFile<z.output<S>> {
  const inOrder = createOneAtATime();

  async function read(): Promise<z.output<S>> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return schema.parse({});
      throw error;
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      const aside = `${path}.damaged-${Date.now()}`;
      await rename(path, aside);
      onDamaged(aside, error instanceof Error ? error.message : String(error));
      return schema.parse({});
    }
  }

  return {
    read: () => inOrder(path, read),
    write: (value) =>
      inOrder(path, () =>
        durableWrite(path, `${JSON.stringify(schema.parse(value), null, 2)}\n`, { private: true }).then(
          () => undefined,
        ),
      ),
  };
}
