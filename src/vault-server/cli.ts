import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createVaultServer, isLoopback } from './index';
import { tokenOf } from './token';

const help = `Serves a folder of notes to MCP clients.

  interlinear-vault <vault>                        over standard input and output
  interlinear-vault <vault> --http 127.0.0.1:PORT  over Streamable HTTP at /mcp, on this machine only, for clients
                                                   with the bearer token in the file that is named at the start

  interlinear-vault doctor <vault> [--fix] [--json]  what is invalid or invisible in its project, and repairs what nobody
                                                   has to decide; ends with 1 while anything is left

  --help     shows this text
  --version  shows the version
`;

const version = '0.1.0';

/** Answers with what to say and the exit code, or null while it serves. Standard output belongs to the protocol. */
async function main(args: readonly string[]): Promise<{ code: number; text: string } | null> {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args);
  } catch (error) {
    return { code: 2, text: `${error instanceof Error ? error.message : error}\n\n${help}` };
  }
  const { values, positionals } = parsed;
  if (values.help) return { code: 0, text: help };
  if (values.version) return { code: 0, text: `${version}\n` };
  const isDoctor = positionals.length === 2 && positionals[0] === 'doctor';
  const [vault, ...others] = isDoctor ? positionals.slice(1) : positionals;
  if ((values.fix || values.json) && !isDoctor) return { code: 2, text: help };
  if (vault === undefined || others.length > 0) return { code: 2, text: help };
  const root = resolve(vault);
  const stats = await stat(root).catch(() => undefined);
  if (!stats?.isDirectory()) return { code: 2, text: `${root} is not a folder.\n` };

  if (isDoctor) return (await import('./doctor-command')).runDoctor(root, values);

  // Whoever works in a folder keeps its disk from being ejected.
  process.chdir(tmpdir());
  const server = createVaultServer({ root, version, report });
  if (values.http === undefined) {
    server.serveStdio();
    return null;
  }
  const address = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(values.http);
  const host = address?.[1] ?? address?.[2] ?? '';
  const port = Number(address?.[3]);
  if (!address || !isLoopback(host) || port > 65_535) {
    return {
      code: 2,
      text: '--http takes 127.0.0.1:PORT, [::1]:PORT or localhost:PORT; other machines are not served.\n',
    };
  }
  const { path, token } = await tokenOf(root);
  const listening = await server.listen({ host, port, token });
  process.stderr.write(`Listening on ${listening.url} for clients that send the token in ${path}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void listening.close());
  return null;
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      http: { type: 'string' },
      fix: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
}

main(process.argv.slice(2)).then(
  (end) => {
    if (!end) return;
    (end.code === 2 ? process.stderr : process.stdout).write(end.text);
    process.exitCode = end.code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  },
);
