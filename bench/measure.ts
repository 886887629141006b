import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';

export interface Figure {
  readonly what: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
  readonly goal: string;
  /** Left out where there is no goal. */
  readonly met?: boolean;
}

export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** How it was measured, what is missing, what was found. */
  readonly notes: readonly string[];
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

/** Shows what was measured and hands it to `scripts/bench.mjs`. */
export function report(section: Section): void {
  const shown = table(section.figures);
  console.log(`${shown}\n${section.notes.map((note) => `- ${note}`).join('\n')}`);
  const file = process.env.BENCH_RESULT;
  if (!file) return;
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
  writeFileSync(file, `${JSON.stringify({ at, load, ...section, table: shown }, null, 2)}\n`);
}

function table(figures: readonly Figure[]): string {
  const mark = ({ met }: Figure) => (met === undefined ? '' : met ? ' ✓' : ' ✗ missed');
  const rows = figures.map((f) => `| ${f.what} | ${f.ours} | ${f.peer} | ${f.ratio} | ${f.goal}${mark(f)} |`);
  return ['| What | Ours | Floor or peer | Ratio | Goal |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
