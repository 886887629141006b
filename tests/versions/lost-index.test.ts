import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionsHouse } from './house';

test.for(['emptied', 'missing', 'garbled'])(
  'an index that is %s is told, and what is kept from then on is there',
  async (how) => {
    const house = await versionsHouse({ 'A.md': 'one\n' });
    await house.known();
    await house.type('A.md', 'two\n');
    await house.versions.settled();
    const [folder = ''] = readdirSync(join(house.data, 'versions'));
    const place = join(house.data, 'versions', folder);
    const texts = () =>
      readdirSync(join(place, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.includes('/'),
      );
    const before = texts();
    expect(before).toHaveLength(2);
    await house.restart(async () => {
      if (how === 'missing') await unlink(join(place, 'index.log'));
      else writeFileSync(join(place, 'index.log'), how === 'emptied' ? '' : 'no such thing\n');
    });
    await house.known();
    await house.type('A.md', 'three\n');
    await house.restart();
    expect(await house.texts('A.md')).toEqual(['one\ntwo\n', 'one\ntwo\nthree\n']);
    expect(house.troubles.map(({ state }) => state)).toEqual(['damaged']);
    expect(texts()).toEqual(expect.arrayContaining(before));
  },
);

test.for(['a folder', 'a folder with a file in it', 'a link that leads nowhere'])(
  'an index in whose place %s stands is told, that is set aside, and what is kept from then on is there',
  async (what) => {
    const house = await versionsHouse({ 'A.md': 'one\n' });
    await house.known();
    const [folder = ''] = readdirSync(join(house.data, 'versions'));
    const place = join(house.data, 'versions', folder);
    const index = join(place, 'index.log');
    const elsewhere = join(house.root, '..', 'elsewhere');
    await house.restart(async () => {
      rmSync(index);
      if (what === 'a link that leads nowhere') symlinkSync(elsewhere, index);
      else mkdirSync(index);
      if (what === 'a folder with a file in it') writeFileSync(join(index, 'words'), 'words');
    });
    await house.known();
    await house.type('A.md', 'two\n');
    await house.restart();
    expect(await house.texts('A.md')).toEqual(['one\n', 'one\ntwo\n']);
    expect(existsSync(elsewhere)).toBe(false);
    const aside = readdirSync(place).filter((name) => name.startsWith('index.log.damaged-'));
    expect(aside).toHaveLength(1);
    expect(house.troubles[0]).toMatchObject({ file: index, keptAs: join(place, aside[0] ?? '') });
  },
);
