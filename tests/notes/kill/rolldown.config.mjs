/** Packages' own ES modules first: some CommonJS builds cannot be put into one file. */
export default {
  input: `${import.meta.dirname}/host.ts`,
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  output: { format: 'esm', codeSplitting: false },
};
