import { bench, benchName } from './bench';

export const hooksFile = '.interlinear/hooks.json';
export const hooksText = (...hooks: object[]) => JSON.stringify({ hooks });
/** A hook that never runs by itself: its note is never saved. */
export const hookThat = (name: string, tool: string, more = {}) => ({
  ...{
    name,
    on: 'saved',
    note: 'never.md',
    run: { tool: `${benchName}/${tool}`, arguments: { word: name } },
  },
  ...more,
});
export const running = {
  servers: bench,
  settings: { tools: { approval: 'allow', callsPerNote: -1, timeout: 600_000 } },
};
