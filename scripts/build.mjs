import { projectNode, run, tool } from './run.mjs';
import { writeThirdPartyNotices } from './third-party-notices.mjs';

/** Builds everything into `out`. What the build says is only shown when it fails. */
export async function build() {
  const args = [tool('electron-vite', 'bin/electron-vite.js'), 'build', '--logLevel', 'warn'];
  const { code, output } = await run(projectNode(), args, { capture: true });
  if (code !== 0) console.error(output);
  else writeThirdPartyNotices();
  return code;
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) process.exitCode = await build();
