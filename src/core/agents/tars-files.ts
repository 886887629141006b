import type { Vendor } from '../../contract/providers';
import { largestSetting, readFileInside } from '../../files';
import { readPromptSlides, readTars, type TarsSettings } from './tars';

/** What TARS has in a vault, with the prompts that came with it; null: nothing. */
export async function readTarsFiles(root: string, vendors: readonly Vendor[]): Promise<TarsSettings | null> {
  const text = (path: string) =>
    readFileInside(root, path, largestSetting).then(
      ({ bytes }) => bytes.toString('utf8'),
      () => null,
    );
  const data = await text('.obsidian/plugins/tars/data.json');
  if (data === null) return null;
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(data);
  } catch {
    return {
      ...readTars(
        null,
        () => false,
        () => [],
      ),
      skipped: ['The settings of TARS are not valid JSON.'],
    };
  }
  const own = readTars(
    parsed,
    (id) => id !== 'demo' && vendors.some((vendor) => vendor.id === id),
    (id) => vendors.find((vendor) => vendor.id === id)?.baseUrls.map(({ url }) => url) ?? [],
  );
  const slides = await Promise.all(
    ['prompt.en.md', 'prompt.zh.md', 'prompt.md'].map((name) => text(`Tars/${name}`)),
  );
  const titles = new Set(own.prompts.map(({ title }) => title));
  const more = slides
    .flatMap((note) => readPromptSlides(note ?? ''))
    .filter(({ title }) => !titles.has(title));
  return { ...own, prompts: [...own.prompts, ...more] };
}
