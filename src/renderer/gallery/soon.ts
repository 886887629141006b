/** As if it took a while. */
export const soon = (ms = 500) => new Promise<void>((resolve) => setTimeout(resolve, ms));
