import type { z } from 'zod';
import { durableWrite, largestSetting, readFileAt } from '../../../files';
import { createOneAtATime } from '../async/one-at-a-time';
import { reasonOf, setAside, stateOf } from './data-file';

export interface JsonFile<T> {
  /** The file's value; the schema's defaults where there is none. A damaged file is set aside first, see `onDamaged`. */
  read(): Promise<T>;
  write(value: T): Promise<void>;
}

/** One JSON file: checked when read, replaced whole and durably when written. */
export function createJsonFile<S extends z.ZodType>(
  path: string,
  schema: S,
  onDamaged: (setAsidePath: string | null, reason: string) => void,
): JsonFile<z.output<S>> {
  const inOrder = createOneAtATime();

  async function read(): Promise<z.output<S>> {
    let text: string;
    try {
      text = (await readFileAt(path, largestSetting)).toString('utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return schema.parse({});
      // A folder or a pipe in its place is no file that could be whole.
      if (stateOf(error) !== 'damaged') throw error;
      onDamaged(setAside(path), reasonOf(error));
      return schema.parse({});
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      onDamaged(setAside(path), reasonOf(error));
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
