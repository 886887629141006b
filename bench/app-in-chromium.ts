import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from 'playwright';
import { invited } from '../tests/support/invited';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}

export interface RunningApp {
  /** Lets one browser in, once. */
  readonly address: string;
  readonly vault: string;
  close(): Promise<void>;
}

/** The built app in its Node host, on a vault of these notes. */
export async function startApp({
  notes = {},
  vault,
  settings = {},
}: {
  notes?: Readonly<Record<string, string>>;
  /** Instead of `notes`. */
  vault?: string;
  settings?: object;
}): Promise<RunningApp> {
  const folder = mkdtempSync(join(tmpdir(), 'interlinear-bench-'));
  const notesFolder = vault ?? join(folder, 'vault');
  mkdirSync(notesFolder, { recursive: true });
  for (const [path, text] of Object.entries(notes)) {
    mkdirSync(dirname(join(notesFolder, path)), { recursive: true });
    writeFileSync(join(notesFolder, path), text);
  }
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ version: 1, ...settings }));
  const program = join(process.cwd(), 'out/main/cli.js');
  const child = spawn(process.execPath, [program, 'serve', notesFolder, '--no-open'], {
    env: { ...process.env, INTERLINEAR_DATA: data, INTERLINEAR_API_KEY: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    address: invited(await firstAddress(child), data),
    vault: notesFolder,
    async close() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function firstAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('Its output is not read.');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('It ended without an address.');
}

/** A conversation of about this many bytes, with headings, lists, code and links. */
export function longNote(bytes: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let turn = 1; length < bytes; turn++) {
    const part = `#User : Question ${turn} about [[Garden]] and #planning, is *it* time?

#Bench : ## Answer ${turn}

Beans and peas like **cool** weather; see [the list](https://example.org/${turn}) and \`sow(${turn})\`.

- one thing that should be done in week ${turn}
- another thing, with a [[Link ${turn % 50}]]

\`\`\`js
const beds = [${turn}, ${turn + 1}];
\`\`\`

${'A sentence that says a little more about soil, water and light. '.repeat(6)}

`;
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}
