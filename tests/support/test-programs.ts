import { onTestFinished } from 'vitest';
import type { Log } from '../../src/core/foundation';
import { createOwnPrograms } from './own-programs';

/** The same, as long as a test runs. */
export function ownPrograms(log?: Log) {
  const { parts, close } = createOwnPrograms(log);
  onTestFinished(close);
  return parts;
}
