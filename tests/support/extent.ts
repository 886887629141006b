/** How much of a long test runs: a share in the suite of every day, the whole in `npm run torture`. */
export const extent = (share: number, whole: number): number => (process.env.TORTURE ? whole : share);
