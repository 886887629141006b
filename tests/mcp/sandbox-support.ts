import { spawnSync } from 'node:child_process';
import type { Mcp } from '../../src/core/mcp';
import { call } from './setup';

/** Why no sandbox can be made here; null: one can. */
export function whyNoSandbox(): string | null {
  if (process.platform !== 'linux') return `none of these tests was tried on ${process.platform}`;
  const tried = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', 'true'], {
    encoding: 'utf8',
  });
  if (tried.status !== 0) return (tried.error?.message ?? tried.stderr).trim();
  return spawnSync('socat', ['-V']).status === 0 ? null : 'socat is not installed';
}

const textOf = ({ parts }: Awaited<ReturnType<typeof call>>): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

/** What the server `name`, which runs anything, says after it did that. */
export const shell = async (mcp: Mcp, name: string, script: string): Promise<string> =>
  textOf(await call(mcp, name, 'run', { program: '/bin/sh', args: ['-c', script] }, { timeoutMs: 20_000 }));

export const node = async (mcp: Mcp, name: string, script: string): Promise<string> =>
  textOf(
    await call(
      mcp,
      name,
      'run',
      { program: process.execPath, args: ['--input-type=module', '-e', script] },
      { timeoutMs: 20_000 },
    ),
  );
