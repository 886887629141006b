import { readdirSync, writeFileSync } from 'node:fs';
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
