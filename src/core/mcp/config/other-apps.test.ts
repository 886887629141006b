import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serversOfOtherApps } from './other-apps';

function homeFolder() {
  const home = mkdtempSync(join(tmpdir(), 'other-apps-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const look = (platform: NodeJS.Platform, environment = {}) =>
    serversOfOtherApps({
      platform,
      environment: { HOME: home, APPDATA: join(home, 'Roaming'), ...environment },
      vault: null,
      configured: [],
    });
  return { home, write, look };
}

test('servers of other apps are found where each system keeps them; those already here are left out, and broken files say so', async () => {
  const { home, write } = homeFolder();
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
  const insiders = JSON.stringify({ servers: { nightly: { command: 'nightly' } } });
  write('.config/Code - Insiders/User/mcp.json', insiders);
  write('Library/Application Support/Code - Insiders/User/mcp.json', insiders);
  write('Roaming/Code - Insiders/User/mcp.json', insiders);
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
    ['VS Code Insiders', [{ name: 'nightly', command: 'nightly' }]],
    ['TARS', [{ name: 't', command: 't' }]],
    ['Cursor', []],
  ]);
  expect((await look('linux')).at(-1)).toMatchObject({
    file: join(home, '.cursor/mcp.json'),
    skipped: [{ server: 'mcp.json', reason: 'This JSON is not complete yet.' }],
  });
  const apps = ['Claude Desktop', 'VS Code Insiders', 'Cursor'];
  expect((await look('darwin')).map(({ app }) => app)).toEqual(apps);
  expect((await look('win32')).map(({ app }) => app)).toEqual(apps);
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
    ['Zed', [{ name: 'zed', command: 'zed' }]],
    ['Claude Code', [{ name: 'code', command: 'code' }]],
    ['Windsurf, Gemini CLI', [{ name: 'both', command: 'both' }]],
    ['opencode', [{ name: 'open', command: 'open', args: ['x'] }]],
    ['.mcp.json', [{ name: 'here', command: 'here' }]],
    ['.vscode/mcp.json', [{ name: 'ws', command: 'ws' }]],
  ]);
});

const codexToml = `
model = "gpt-5"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
env_vars = ["LANG"]
startup_timeout_sec = 20
tool_timeout_sec = 60.5
disabled_tools = ["wipe"]
enabled_tools = ["read"]

[mcp_servers.docs.env]
"API_KEY" = "v"

[mcp_servers.web]
url = "https://web.test/mcp"
bearer_token_env_var = "WEB_TOKEN"
enabled = false
`;
const gooseYaml = `
GOOSE_MODE: auto
extensions:
  developer: { type: builtin, name: developer, enabled: true, bundled: true }
  files:
    type: stdio
    name: files
    cmd: uvx
    args: [files]
    envs: { A: b }
    env_keys: [KEY]
    timeout: 300
    enabled: true
  remote: { type: streamable_http, name: remote, uri: "https://remote.test/mcp", timeout: 10 }
`;

test('Codex’s TOML and Goose’s YAML are read in their own words, in seconds', async () => {
  const { write, look } = homeFolder();
  write('.codex/config.toml', codexToml);
  write('.config/goose/config.yaml', gooseYaml);
  write('Roaming/Block/goose/config/config.yaml', gooseYaml);
  const codex = [
    {
      ...{ name: 'docs', command: 'npx', args: ['-y', 'docs'], disabledTools: ['wipe'] },
      ...{ env: { LANG: `\${LANG}`, API_KEY: 'v' }, initTimeout: 20_000, timeout: 60_500 },
    },
    {
      ...{ name: 'web', url: 'https://web.test/mcp', enabled: false },
      headers: { Authorization: `Bearer \${WEB_TOKEN}` },
    },
  ];
  const goose = [
    {
      ...{ name: 'files', command: 'uvx', args: ['files'], enabled: true, timeout: 300_000 },
      env: { KEY: `\${secret:KEY}`, A: 'b' },
    },
    { name: 'remote', url: 'https://remote.test/mcp', transport: 'http', timeout: 10_000 },
  ];
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const found = await look(platform);
    expect(found.map(({ app, servers }) => [app, servers])).toEqual([
      ['Goose', goose],
      ['Codex', codex],
    ]);
    expect(found[0]?.skipped).toEqual([
      { server: 'developer', what: null, reason: expect.stringContaining('other app itself') },
    ]);
    expect(found[1]?.skipped).toMatchObject([{ server: 'docs', what: 'enabled_tools' }]);
  }
});

test('one wrong entry costs itself, by name, and not its whole file', async () => {
  const { write, look } = homeFolder();
  write(
    '.cursor/mcp.json',
    '{ "mcpServers": { "bad": { "args": 5 }, "good": { "command": "good" }, "worse": 7 } }',
  );
  expect(await look('linux')).toMatchObject([
    {
      servers: [{ name: 'good' }],
      skipped: [
        { server: 'bad', what: null, reason: expect.stringMatching(/args/) },
        { server: 'worse', what: null },
      ],
    },
  ]);
});

test('limits that TARS has for all servers are named with the servers it offers, and only with them', async () => {
  const { home, write } = homeFolder();
  const data = { mcpServers: [{ name: 'mine', configInput: 'npx -y x' }], mcpSessionLimit: 25 };
  write('.obsidian/plugins/tars/data.json', JSON.stringify(data));
  const look = (configured: Parameters<typeof serversOfOtherApps>[0]['configured']) =>
    serversOfOtherApps({
      platform: 'linux',
      environment: { HOME: `${home}/empty` },
      vault: home,
      configured,
    });
  const skipped = [{ server: 'TARS', what: 'mcpSessionLimit' }];
  expect(await look([])).toMatchObject([{ app: 'TARS', servers: [{ name: 'mine' }], skipped }]);
  expect(await look([{ name: 'mine', command: 'npx', args: ['-y', 'x'] }])).toEqual([]);
});

test('Claude Code’s servers of one folder are offered with that folder; what starts there starts there here, too', async () => {
  const { write, look } = homeFolder();
  const projects = {
    '/p/garden': { mcpServers: { seeds: { command: './seeds' }, both: { command: 'both' } } },
    '/p/house': { mcpServers: { both: { command: 'both' } } },
    '/p/empty': {},
  };
  write('.claude.json', JSON.stringify({ mcpServers: { all: { command: 'all' } }, projects }));
  expect((await look('linux')).map(({ app, servers }) => [app, servers])).toEqual([
    ['Claude Code', [{ name: 'all', command: 'all' }]],
    ['Claude Code (garden)', [{ name: 'seeds', command: './seeds', cwd: '/p/garden' }]],
    ['Claude Code (garden), Claude Code (house)', [{ name: 'both', command: 'both' }]],
  ]);
});

test('Zed on Windows, opencode’s other name, and Gemini CLI’s variables', async () => {
  const { write, look } = homeFolder();
  write(
    'Roaming/Zed/settings.json',
    '{ "context_servers": { "z": { "command": { "path": "z", "args": ["-a"] } } } }',
  );
  write(
    '.config/opencode/opencode.jsonc',
    '{ /* own */ "mcp": { "o": { "type": "local", "command": ["o"], "timeout": 5000 } } }',
  );
  write(
    '.gemini/settings.json',
    '{ "mcpServers": { "g": { "command": "g", "env": { "K": "$KEY" }, "trust": true } } }',
  );
  const found = await look('win32');
  expect(found.map(({ app, servers }) => [app, servers])).toEqual([
    ['Zed', [{ name: 'z', command: 'z', args: ['-a'] }]],
    ['Gemini CLI', [{ name: 'g', command: 'g', env: { K: `\${KEY}` } }]],
    ['opencode', [{ name: 'o', command: 'o', initTimeout: 5_000 }]],
  ]);
  expect(found[1]?.skipped).toMatchObject([{ server: 'g', what: 'trust' }]);
});

test('a file of another app that is too large to be read is said, not passed over', async () => {
  const { home, write, look } = homeFolder();
  write(
    '.claude.json',
    JSON.stringify({ mcpServers: { one: { command: 'one', args: ['x'.repeat(1_100_000)] } } }),
  );
  expect(await look('linux')).toMatchObject([
    {
      app: 'Claude Code',
      file: join(home, '.claude.json'),
      servers: [],
      skipped: [{ server: '.claude.json' }],
    },
  ]);
});
