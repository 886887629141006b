import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { extent } from '../support/extent';
import { versionsHouse } from './house';

/** Everything that a text may hold which programs like to change. */
const text = fc
  .array(
    fc.constantFrom(
      'plain words',
      'e\u0301 in two parts',
      '\u2028 inside',
      '漢字',
      '\t tabs ',
      '# Heading',
      '',
      '👩‍👩‍👧',
    ),
    { maxLength: 6 },
  )
  .chain((lines) =>
    fc
      .tuple(fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), fc.boolean())
      .map(([end, mark, last]) => `${mark ? '\uFEFF' : ''}${lines.join(end)}${last ? end : ''}`),
  );

type Deed =
  | { kind: 'type'; note: number; words: string }
  | { kind: 'foreign'; note: number; text: string }
  | { kind: 'tool'; note: number; text: string }
  | { kind: 'rename'; note: number }
  | { kind: 'move'; note: number }
  | { kind: 'trash'; note: number }
  | { kind: 'remove'; note: number };

type Step = Deed | { kind: 'restart' };

const note = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      note,
      words: fc.constantFrom('a', ' b\n', '\n\n', '字'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('foreign' as const), note, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tool' as const), note, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('rename' as const, 'move' as const), note }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('trash' as const, 'remove' as const), note }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

/** One note, wherever it is: what it said before each foreign hand has to be among its versions. */
interface Known {
  path: string;
  isGone: boolean;
  readonly must: Set<string>;
}

test('whatever happens to notes: each text that was there before another hand is a version, and each version restores to its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 3, maxLength: 3 }),
      fc.array(step, { minLength: 3, maxLength: 8 }),
      run,
    ),
    { numRuns: extent(5, 200), endOnFailure: true },
  );
}, 300_000);

async function run(texts: readonly string[], steps: readonly Step[]): Promise<void> {
  const paths = ['A.md', 'Cafe\u0301.md', 'in/B.md'];
  const house = await versionsHouse(Object.fromEntries(paths.map((path, at) => [path, texts[at] ?? ''])));
  await house.known();
  const notes: Known[] = paths.map((path) => ({ path, isGone: false, must: new Set() }));
  let number = 0;
  for (const one of steps) {
    if (one.kind === 'restart') {
      await house.restart();
      await house.known();
      continue;
    }
    const known = notes[one.note];
    if (!known || known.isGone) continue;
    const { path } = known;
    // What one person types in a row may be one version.
    if (one.kind !== 'type' && one.kind !== 'rename') known.must.add(await house.read(path));
    await take(one, known, path);
  }
  for (const known of notes) {
    const kept = await house.texts(known.path);
    for (const must of known.must) expect(kept).toContain(must);
  }
  await restoreAll();

  async function take(one: Deed, known: Known, path: string): Promise<void> {
    switch (one.kind) {
      case 'type':
        return house.type(path, one.words);
      case 'foreign': {
        const before = [...(await house.texts(path)), await house.read(path)];
        await house.put(path, one.text);
        return house.heard(() => isTaken(path, one.text, before));
      }
      case 'tool': {
        const before = [...(await house.texts(path)), await house.read(path)];
        await house.call(`c${number++}`, () => house.put(path, one.text), { arguments: { path } });
        return house.heard(() => isTaken(path, one.text, before));
      }
      case 'rename':
        known.path = `Moved ${number++}.md`;
        return house.vault.rename(path, known.path);
      case 'move': {
        known.path = `Away ${number++}.md`;
        await house.notes.leaveVault();
        await house.versions.settled();
        await rename(join(house.root, path), join(house.root, known.path));
        return house.heard(async () => (await house.entries(known.path))[0]?.kind === 'moved');
      }
      case 'trash':
        known.isGone = true;
        return house.vault.trash(path);
      case 'remove':
        known.isGone = true;
        await house.notes.leaveVault();
        await house.versions.settled();
        await unlink(join(house.root, path));
        return house.heard(async () => (await house.entries(path))[0]?.kind === 'gone');
    }
  }

  /** What a person typed a moment before may stand beside it: the other program may not have known of that. */
  async function isTaken(path: string, text: string, before: readonly string[]): Promise<boolean> {
    const last = (await house.texts(path)).at(-1);
    if (last === text) return true;
    if (last === undefined || before.includes(last) || last !== (await house.read(path))) return false;
    const lines = last.split(/\r\n|\n|\r/);
    return text.split(/\r\n|\n|\r/).every((line) => lines.some((one) => one.includes(line)));
  }

  /** Every version of every note, one after the other. */
  async function restoreAll(): Promise<void> {
    for (const known of notes) {
      const versions = (await house.entries(known.path)).filter(({ kind }) => kind === 'text');
      const texts = await Promise.all(versions.map(({ id }) => house.versions.read(known.path, id)));
      if (known.isGone) {
        const [newest] = versions;
        const { path } = await house.versions.restoreDeleted(newest?.id ?? '');
        known.path = path;
        expect(await house.read(path)).toBe(texts[0]);
      }
      for (const [at, { id }] of versions.entries()) {
        const { basis } = await house.versions.preview(known.path, id);
        await house.versions.restore(known.path, id, basis, null);
        expect(await house.read(known.path)).toBe(texts[at]);
      }
    }
  }
}
