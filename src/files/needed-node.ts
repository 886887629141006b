/** As `engines` in package.json says. */
const needed = [22, 16] as const;

/** Called before anything is loaded that an older Node lacks: it ends in one line, not in a stack trace. */
export function leaveOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  process.stderr.write(
    `Interlinear needs Node ${needed.join('.')} or newer, and this is ${process.versions.node}. In a clone, bin/interlinear.mjs brings its own.\n`,
  );
  process.exit(1);
}
