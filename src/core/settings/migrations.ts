import { NewerFile } from '../foundation';

type Stored = Readonly<Record<string, unknown>>;

/** From version n to n + 1, by n. Version 0 is a file without a version. */
const steps: readonly ((stored: Stored) => Stored)[] = [(stored) => ({ ...stored, version: 1 })];

/** Brings what an older app wrote to the present form. A file of a newer app is refused rather than cut down. */
export function migrate(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored;
  let settings: Stored = { ...stored };
  const from = settings.version ?? 0;
  if (typeof from !== 'number' || from > steps.length)
    throw new NewerFile(`These settings have version ${JSON.stringify(from)}, which this app does not know.`);
  for (const step of steps.slice(from)) settings = step(settings);
  return settings;
}
