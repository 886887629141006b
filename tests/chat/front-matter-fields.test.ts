import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frontMatterFields, powerFields } from '../../src/contract/front-matter-fields';

/** Whoever reads front matter, by the kind of note in the table; null: where it begins and ends, and no field of it. */
const readers: Record<string, keyof typeof frontMatterFields | null> = {
  'src/core/agents/agent-note.ts': 'agent',
  'src/core/agents/prompts.ts': 'prompt',
  'src/core/authority/note-authority.ts': null,
  'src/core/authority/note-identity.ts': null,
  'src/core/chat/question/note-settings.ts': 'note',
  // The names of servers in it become others, and nothing else.
  'src/core/server-renamed.ts': 'agent',
  'src/entities/entity/note/read.ts': 'entity',
  'src/entities/store/batch/elsewhere.ts': null,
};

/** Every name by which something is taken out of front matter. */
const taken = (source: string): string[] =>
  [
    ...source.matchAll(/\bvalues\??\.([a-z_]\w*)/g),
    ...source.matchAll(/\bvalues\[['"](\w+)['"]\]/g),
    ...source.matchAll(/\b(?:read|words|number|list|truth|group|oneOf)(?:<[^>]*>)?\(\s*'(\w+)'/g),
    ...source.matchAll(/\bkey === '(\w+)'/g),
  ].map(([, name = '']) => name);

const filesOf = (pattern: string) => globSync(pattern).map((path) => path.replaceAll('\\', '/'));

test('each file that reads front matter is known, and each field that it reads stands in the table', () => {
  const reading = filesOf('src/**/*.{ts,tsx}').filter(
    (path) =>
      !path.startsWith('src/markdown/') &&
      !/\.test\.tsx?$/.test(path) &&
      /\breadFrontMatter\(/.test(readFileSync(path, 'utf8')),
  );
  expect(reading.toSorted()).toEqual(Object.keys(readers).toSorted());
  const read: Record<string, Set<string>> = { note: new Set(), agent: new Set(), prompt: new Set() };
  for (const [path, kind] of Object.entries(readers)) {
    if (kind === 'entity') continue;
    const names = taken(readFileSync(path, 'utf8'));
    if (kind === null) expect([path, names]).toEqual([path, []]);
    else for (const name of names) read[kind]?.add(name);
  }
  // Both ways: what is not read any more is in no table either.
  for (const kind of ['note', 'agent', 'prompt'] as const)
    expect([...(read[kind] ?? [])].toSorted(), kind).toEqual(Object.keys(frontMatterFields[kind]).toSorted());
});

test('what gives power in a conversation does so in an agent’s note as well', () => {
  for (const field of powerFields.filter((one) => one !== 'agent'))
    expect(frontMatterFields.agent).toHaveProperty([field], frontMatterFields.note[field]);
});
