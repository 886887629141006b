import fc from 'fast-check';

/** In `npm run fuzz` every generated test goes from the one seed that was printed. */
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  ...(process.env.FUZZ_SEED !== undefined && { seed: Number(process.env.FUZZ_SEED) }),
});
