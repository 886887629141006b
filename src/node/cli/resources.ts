import { type CommandLine, exitCodes } from './command-line';
import { byName, type InVault, linesOr, printed, runWithVault } from './with-vault';

export function listResources(server: string, options: InVault, commandLine: CommandLine): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const { id, name } = byName(app, server);
    const list = await app.mcp.resources(id);
    const lines = [
      ...list.resources.map(({ uri, title }) => `${uri}\t${title}`),
      ...list.templates.map(({ uriTemplate, title }) => `${uriTemplate}\t${title}`),
    ];
    printed(options, commandLine, list, () => linesOr(lines, `${name} has no resources.`));
    return exitCodes.ok;
  });
}

export function readResource(
  server: string,
  uri: string,
  options: InVault,
  commandLine: CommandLine,
): Promise<number> {
  return runWithVault(options, commandLine, async (app) => {
    const contents = await app.mcp.readResource(byName(app, server).id, uri, commandLine.interrupted);
    printed(options, commandLine, contents, () =>
      contents.map(({ text, base64, mediaType }) => text ?? `(${mediaType ?? 'data'}) ${base64 ?? ''}`),
    );
    return exitCodes.ok;
  });
}
