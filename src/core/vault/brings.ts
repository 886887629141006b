import { look, settingsFolder } from './walk';

const kinds = [
  ['servers', `${settingsFolder}/mcp.json`],
  ['hooks', `${settingsFolder}/hooks.json`],
  ['agents', `${settingsFolder}/agents`],
] as const;

/** What a folder brings along that is not used before the person trusts it. */
export function whatItBrings(root: string): string[] {
  return kinds.filter(([, path]) => look(root, path) !== null).map(([kind]) => kind);
}
