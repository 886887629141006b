import { cpus } from 'node:os';

export interface Figure {
  readonly what: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
  readonly goal: string;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Runs both in turn, A B A B …, so that a drift of the machine hits them alike. */
export async function interleaved<T>(
  rounds: number,
  ours: () => Promise<T>,
  peer: () => Promise<T>,
): Promise<{ ours: T[]; peer: T[] }> {
  const results: { ours: T[]; peer: T[] } = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ours());
    results.peer.push(await peer());
  }
  return results;
}

export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${process.platform}, Node ${process.version}`;
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map((f) => `| ${f.what} | ${f.ours} | ${f.peer} | ${f.ratio} | ${f.goal} |`);
  return ['| What | Ours | Floor or peer | Ratio | Goal |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
