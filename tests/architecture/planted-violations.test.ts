import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'tree-'));
for (const name of [
  'src',
  '.dependency-cruiser.cjs',
  'tsconfig.base.json',
  'tsconfig.tests.json',
  'package.json',
])
  cpSync(join(root, name), join(copy, name), { recursive: true });
// A link to the real one would resolve to a place outside the tree.
mkdirSync(join(copy, 'node_modules/electron'), { recursive: true });
writeFileSync(join(copy, 'node_modules/electron/package.json'), '{"name":"electron","main":"index.js"}');
writeFileSync(join(copy, 'node_modules/electron/index.js'), '');
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const violations: Record<string, [file: string, text: string]> = {
  'renderer-uses-only': ['src/renderer/planted.ts', "export * from '../core/handlers';"],
  'contract-uses-only': ['src/contract/planted.ts', "export * from '../bridge/wire';"],
  'core-uses-only': ['src/core/planted.ts', "export * from '../node/trash';"],
  'core-vault-uses-only': ['src/core/vault/planted.ts', "export * from '../mcp';"],
  'core-mcp-fence-uses-only': ['src/core/mcp/fence/planted.ts', "export * from '../server/lifecycle';"],
  'entities-store-uses-only': ['src/entities/store/planted.ts', "export * from '../entity/model/model';"],
  'settings-has-one-door': ['src/core/chat/planted.ts', "export * from '../settings/settings-file';"],
  'entities-have-one-door': [
    'src/core/projects/planted.ts',
    "export * from '../../entities/entity/model/model';",
  ],
  'projects-alone-open-the-project': ['src/core/notes/planted.ts', "export * from '../../entities/project';"],
  'electron-stays-in-its-shell': ['src/node/planted.ts', "export { app } from 'electron';"],
  'no-node-in-shared-code': ['src/bridge/planted.ts', "export { readFile } from 'node:fs';"],
  'renderer-base-uses-only': [
    'src/renderer/base/planted.ts',
    "export * from '../features/settings/planted';",
  ],
  'feature-export-uses-only': [
    'src/renderer/features/export/planted.ts',
    "export * from '../settings/planted';",
  ],
  'features-stay-apart': ['src/renderer/features/planted/a.ts', "export * from '../settings/planted';"],
  'ui-knows-no-app': ['src/renderer/ui/planted.ts', "export * from '../../contract/errors';"],
  'tests-stay-outside': ['src/core/foundation/planted.ts', "export * from './planted.test';"],
  'no-circles': ['src/files/planted.ts', "export * from './planted-too';"],
};

test('every wall of the house stops what tries to get through', () => {
  for (const [file, text] of Object.values(violations)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), `${text}\n`);
  }
  mkdirSync(join(copy, 'src/renderer/features/settings'), { recursive: true });
  writeFileSync(join(copy, 'src/renderer/features/settings/planted.ts'), 'export const x = 1;\n');
  writeFileSync(join(copy, 'src/files/planted-too.ts'), "export * from './planted';\n");
  writeFileSync(join(copy, 'src/core/foundation/planted.test.ts'), 'export const x = 1;\n');

  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      'src',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
    ],
    { cwd: copy, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  expect(stderr).toBe('');
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  const found = summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`);
  // A circle is told of from any of its files.
  for (const [rule, [file]] of Object.entries(violations))
    expect(found).toContainEqual(expect.stringContaining(`${rule}: ${file.replace(/\.ts$/, '')}`));
});
