/** Looks again after each turn of the event loop; what never comes is ended by the test's time. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
