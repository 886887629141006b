import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serversOfOtherApps } from './other-apps';

test('servers of other apps are found where each system keeps them; those already here, and broken files, are left out', async () => {
  const home = mkdtempSync(join(tmpdir(), 'other-apps-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const known = { command: 'known', args: ['-x'] };
  const claude = JSON.stringify({ mcpServers: { notes: { command: 'notes' }, known } });
  write('.config/Claude/claude_desktop_config.json', claude);
  write('Library/Application Support/Claude/claude_desktop_config.json', claude);
  write('Roaming/Claude/claude_desktop_config.json', claude);
  write('.cursor/mcp.json', '{ "mcpServers": { ');
  write(
    '.config/Code/User/mcp.json',
    '{ "servers": { "web": { "type": "http", "url": "https://x.test/mcp" } } } // own',
  );
  write(
    'vault/.obsidian/plugins/tars/data.json',
    '{ "providers": [], "mcpServers": [{ "name": "t", "command": "t" }] }',
  );
  const look = (platform: NodeJS.Platform, vault: string | null = null) =>
    serversOfOtherApps({
      platform,
      environment: { HOME: home, APPDATA: join(home, 'Roaming') },
      vault,
      configured: [{ name: 'as I call it', ...known }],
    });
  expect((await look('linux', join(home, 'vault'))).map(({ app, servers }) => [app, servers])).toEqual([
    ['Claude Desktop', [{ name: 'notes', command: 'notes' }]],
    ['VS Code', [{ name: 'web', url: 'https://x.test/mcp', transport: 'http' }]],
    ['TARS', [{ name: 't', command: 't' }]],
  ]);
  expect((await look('darwin')).map(({ app }) => app)).toEqual(['Claude Desktop']);
  expect((await look('win32')).map(({ app }) => app)).toEqual(['Claude Desktop']);
});

test('also those of other tools and of the folder itself; what several have is offered once, with all their names', async () => {
  const home = mkdtempSync(join(tmpdir(), 'other-apps-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(value));
  };
  const one = (command: string) => ({ mcpServers: { [command]: { command } } });
  write('.claude.json', one('code'));
  write('.codeium/windsurf/mcp_config.json', one('both'));
  write('.gemini/settings.json', { theme: 'x', ...one('both') });
  write('.config/zed/settings.json', { context_servers: { zed: { command: 'zed' } } });
  write('.config/opencode/opencode.json', {
    theme: 'x',
    mcp: { open: { type: 'local', command: ['open', 'x'] } },
  });
  write('.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', {
    mcpServers: { slow: { command: 'slow', timeout: 60 } },
  });
  write('vault/.mcp.json', one('here'));
  write('vault/.vscode/mcp.json', { servers: { ws: { command: 'ws' } } });
  const found = await serversOfOtherApps({
    platform: 'linux',
    environment: { HOME: home },
    vault: join(home, 'vault'),
    configured: [],
  });
  expect(found.map(({ app, servers }) => [app, servers])).toEqual([
    ['Cline', [{ name: 'slow', command: 'slow', timeout: 60_000 }]],
    ['Claude Code', [{ name: 'code', command: 'code' }]],
    ['Windsurf, Gemini CLI', [{ name: 'both', command: 'both' }]],
    ['Zed', [{ name: 'zed', command: 'zed' }]],
    ['opencode', [{ name: 'open', command: 'open', args: ['x'] }]],
    ['.mcp.json', [{ name: 'here', command: 'here' }]],
    ['.vscode/mcp.json', [{ name: 'ws', command: 'ws' }]],
  ]);
});
