/** Milliseconds of the processor for what is done at once: others may have it meanwhile. */
export function cpuTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
