/** Milliseconds of this thread's processor: what else the machine does is not counted. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Does the work, and tells for how long this thread was at one thing meanwhile before anybody else had a turn. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  let longest = 0;
  let before = spent();
  const look = () => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  try {
    await new Promise((resolve) => setImmediate(resolve));
    before = spent();
    const value = await work();
    await new Promise((resolve) => setTimeout(resolve, 2));
    return { value, ms: longest };
  } finally {
    clearInterval(timer);
  }
}
