import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { whatItBrings } from './brings';

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'brings-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '.interlinear/agents'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, '.interlinear', name), text);
  return root;
}

test('whoever is asked for trust sees the whole commands and addresses that would be run', () => {
  const root = folder({
    'mcp.json': `{ // comment
      "mcpServers": {
        "notes": { "command": "npx", "args": ["-y", "some-server", "--flag"] },
        "far": { "url": "https://tools.example/mcp" },
      } }`,
    'hooks.json': '[]',
    'agents/Editor.md': 'Be brief.',
  });
  expect(whatItBrings(root)).toEqual([
    'server notes: npx -y some-server --flag',
    'server far: https://tools.example/mcp',
    'hooks: hooks.json',
    'agent: Editor',
  ]);
});

test('a file that cannot be read as servers is named all the same, and a plain folder brings nothing', () => {
  expect(whatItBrings(folder({ 'mcp.json': 'nonsense' }))).toEqual(['servers: mcp.json']);
  expect(whatItBrings(folder({}))).toEqual([]);
});
