import type { TarsFound } from '../../contract/agents';
import { isAppError } from '../../contract/errors';
import type { Settings } from '../../contract/settings';
import { isSameTag, newClash, tagTaken } from '../../contract/tag-meanings';
import { largestSetting, readFileInside } from '../../files';
import type { Picture } from '../foundation';
import type { Providers } from '../providers';

import type { Vault } from '../vault';
import { readPromptSlides, readTars, type TarsSettings } from './tars';

/** Takes over what Obsidian's TARS has set up in the open vault. TARS's own files stay as they are. */
export function createTarsImport(parts: {
  vault: Pick<Vault, 'root' | 'create'>;
  providers: Pick<Providers, 'vendors' | 'list' | 'save'>;
  settings: { readonly current: Picture<Settings>; change(changes: Record<string, unknown>): unknown };
}): { find(): Promise<TarsFound | null>; run(): Promise<TarsFound> } {
  const { vault, providers, settings } = parts;

  async function read(): Promise<TarsSettings | null> {
    const root = vault.root();
    const text = (path: string) =>
      readFileInside(root, path, largestSetting).then(
        ({ bytes }) => bytes.toString('utf8'),
        () => null,
      );
    const data = await text('.obsidian/plugins/tars/data.json');
    if (data === null) return null;
    const vendors = providers.vendors();
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
    const found = readTars(
      parsed,
      (id) => id !== 'demo' && vendors.some((vendor) => vendor.id === id),
      (id) => vendors.find((vendor) => vendor.id === id)?.baseUrls.map(({ url }) => url) ?? [],
    );
    const slides = await Promise.all(
      ['prompt.en.md', 'prompt.zh.md', 'prompt.md'].map((name) => text(`Tars/${name}`)),
    );
    const titles = new Set(found.prompts.map(({ title }) => title));
    const more = slides
      .flatMap((note) => readPromptSlides(note ?? ''))
      .filter(({ title }) => !titles.has(title));
    return { ...found, prompts: [...found.prompts, ...more] };
  }

  return {
    async find() {
      const found = await read();
      return found && pictureOf(found);
    },
    async run() {
      const found = await read();
      if (!found)
        return pictureOf({
          ...readTars(
            null,
            () => false,
            () => [],
          ),
        });
      const skipped = [...found.skipped];
      const taken: TarsSettings['providers'][number][] = [];
      for (const provider of found.providers) {
        try {
          await providers.save(provider.config, provider.key === '' ? undefined : provider.key);
          taken.push(provider);
        } catch (error) {
          if (!isAppError(error)) throw error;
          skipped.push(`#${provider.config.tag}: ${error.message}`);
        }
      }
      const { tags, chat } = settings.current.get();
      const configured = settings.current.get().providers;
      const isFree = (name: string, own: readonly string[]) => {
        if (own.some((other) => isSameTag(other, name))) return false;
        const clash = newClash(
          { tags, providers: configured },
          { tags: { ...tags, user: [...tags.user, name] }, providers: configured },
        );
        if (clash) skipped.push(`#${name}: ${tagTaken(clash).message}`);
        return clash === null;
      };
      const joined = (own: readonly string[], theirs: readonly string[]) => [
        ...own,
        ...theirs.filter((name) => isFree(name, own)),
      ];
      settings.change({
        tags: {
          newChat: joined(tags.newChat, found.tags.newChat),
          user: joined(tags.user, found.tags.user),
          system: joined(tags.system, found.tags.system),
        },
        ...(Object.keys(found.tools).length > 0 && { tools: found.tools }),
        ...(chat.systemPrompt === '' &&
          found.systemPrompt !== '' && {
            chat: { systemPrompt: found.systemPrompt },
          }),
      });
      const prompts: TarsSettings['prompts'][number][] = [];
      for (const prompt of found.prompts) {
        const name =
          prompt.title
            .replace(/[\\/:*?"<>|#^[\]]/g, ' ')
            .replace(/\s+/g, ' ')
            .trim() || 'Prompt';
        try {
          await vault.create(`.interlinear/prompts/${name}.md`, `${prompt.template.trim()}\n`);
          prompts.push(prompt);
        } catch (error) {
          if (!isAppError(error)) throw error;
          skipped.push(`“${prompt.title}”: ${error.message}`);
        }
      }
      return pictureOf({ ...found, providers: taken, prompts, skipped });
    },
  };
}

function pictureOf({ providers, tags, prompts, skipped }: TarsSettings): TarsFound {
  return {
    providers: providers.map(({ config, key }) => ({
      tag: config.tag,
      vendor: config.vendor,
      model: config.model,
      hasKey: key !== '',
    })),
    tags,
    prompts: prompts.map(({ title }) => title),
    skipped: [...skipped],
  };
}
