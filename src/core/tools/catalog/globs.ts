import picomatch from 'picomatch';

/** Whether `server` or `server/tool` is meant by one of the globs. A bare `server` means all its tools. */
export function matchesGlobs(globs: readonly string[], serverName: string, tool: string): boolean {
  const server = serverName.replaceAll('/', '_');
  const name = tool.replaceAll('/', '_');
  return globs.some((glob) => {
    const [serverGlob = '', ...rest] = glob.trim().split('/');
    const toolGlob = rest.join('_') || '*';
    return matches(serverGlob, server) && matches(toolGlob, name);
  });
}

function matches(glob: string, text: string): boolean {
  if (glob === '*' || glob === '**') return true;
  return (
    glob.toLowerCase() === text.toLowerCase() || picomatch.isMatch(text, glob, { dot: true, nocase: true })
  );
}
