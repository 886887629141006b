import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../../src/renderer/base/text/strings/settings';

const src = join(import.meta.dirname, '../../src');
const sections = [
  'general',
  'vault',
  'providers',
  'agents',
  'usage',
  'tools',
  'servers',
  'tags',
  'shortcuts',
] as const;
const named = sections.map((section) => settings[`settings.${section}`][0]);

test('whoever is sent to a section of the settings finds one of that name there', () => {
  const files = globSync('{core,node,markdown,contract}/**/*.ts', { cwd: src });
  const sent = files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/Settings → (.{0,40})/g)].map(
      ([, words = '']) => [file, words] as const,
    ),
  );
  expect(sent.length).toBeGreaterThan(10);
  const lost = sent.filter(([, words]) => !named.some((name) => words.startsWith(name)));
  expect(lost).toEqual([]);
});
