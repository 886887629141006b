import type { Records } from '../records/own-records';

/** Of ops that were done, a line each. */
export const recordName = 'vault-batches.jsonl';

export async function recordBatches(records: Records, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await records.append(recordName, lines.map((line) => `\n${line}`).join(''), { durably: true });
}
