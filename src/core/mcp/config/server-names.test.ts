import { expect, test } from 'vitest';
import { readCommand } from './import-command';

test.each([
  ['docker run -i --rm -e GITHUB_TOKEN=abc ghcr.io/github/github-mcp-server', 'github', undefined],
  ['docker run -v /data:/data --name box mcp/memory', 'memory', undefined],
  ['env FOO=bar node /apps/garden/index.js', 'garden', { FOO: 'bar' }],
])('%s is named by its program, not by a variable or the value of an option', (line, name, env) => {
  const read = readCommand(line);
  expect(read.kind === 'servers' ? read.servers[0]?.draft : read).toMatchObject({
    name,
    ...(env && { env }),
  });
});
