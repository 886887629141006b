import { createHash } from 'node:crypto';
import type { TarsFound } from '../../contract/agents';
import { AppError, isAppError } from '../../contract/errors';
import type { Settings } from '../../contract/settings';
import { isSameTag, newClash, tagTaken } from '../../contract/tag-meanings';
import { largestSetting, readFileInside } from '../../files';
import { maskedAddress, maskedText, type Observable, throwUnlessSeen } from '../foundation';
import type { Providers } from '../providers';
import type { Vault } from '../vault';
import { readPromptSlides, readTars, type TarsSettings } from './tars';

/** Takes over what Obsidian's TARS has set up in the open vault. TARS's own files stay as they are. */
export function createTarsImport(parts: {
  vault: Pick<Vault, 'root' | 'create'>;
  providers: Pick<Providers, 'vendors' | 'list' | 'save'>;
  settings: { readonly current: Observable<Settings>; change(changes: Record<string, unknown>): unknown };
}): {
  find(): Promise<TarsFound | null>;
  /** What of it was taken over. Throws `settings.changed` where what was seen is not what is there. */
  take(seen: string, chosen: readonly string[]): Promise<TarsFound>;
} {
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

  /** Names that are new here; those that mean something else already are told. */
  function newTags(tags: TarsSettings['tags'], skipped: string[]): TarsFound['tags'] {
    const { tags: own, providers: configured } = settings.current.get();
    const isNew = (name: string, of: readonly string[]) => {
      if (of.some((other) => isSameTag(other, name))) return false;
      const clash = newClash(
        { tags: own, providers: configured },
        { tags: { ...own, user: [...own.user, name] }, providers: configured },
      );
      if (clash) skipped.push(`#${name}: ${tagTaken(clash).message}`);
      return clash === null;
    };
    return {
      newChat: tags.newChat.filter((name) => isNew(name, own.newChat)),
      user: tags.user.filter((name) => isNew(name, own.user)),
      system: tags.system.filter((name) => isNew(name, own.system)),
    };
  }

  function listed(found: TarsSettings): TarsFound {
    const { tools, chat, providers: configured } = settings.current.get();
    const skipped = [...found.skipped];
    const vendors = providers.vendors();
    return {
      seen: createHash('sha256').update(JSON.stringify(found)).digest('hex'),
      providers: found.providers.flatMap(({ config, key }, at) => {
        const { tag, vendor, model, baseUrl, format: _, ...options } = config;
        const before = found.providers.slice(0, at).map((other) => other.config);
        if ([...configured, ...before].some((other) => isSameTag(other.tag, tag))) {
          skipped.push(`#${tag}: there is a provider with this tag already.`);
          return [];
        }
        const variables = vendors.find(({ id }) => id === vendor)?.keyVariables ?? [];
        return [
          {
            ...{ id: providerId(at), tag, vendor, model },
            address: baseUrl === undefined ? null : maskedAddress(baseUrl),
            hasKey: key !== '',
            keyVariables: key === '' ? [...variables, 'INTERLINEAR_API_KEY'] : [],
            options: Object.keys(options).length === 0 ? '' : maskedText(JSON.stringify(options)),
          },
        ];
      }),
      tags: newTags(found.tags, skipped),
      prompts: found.prompts.map(({ title }, at) => ({ id: promptId(at), title })),
      limits: limitNames.flatMap((limit) => {
        const [ours, theirs] = [tools[limit], found.tools[limit]];
        return theirs === undefined || theirs === ours ? [] : [{ id: `limit-${limit}`, limit, ours, theirs }];
      }),
      instructions: chat.systemPrompt === '' ? found.systemPrompt : '',
      skipped,
    };
  }

  /** Null where it could be made; else why not. */
  async function problemOf(work: () => Promise<unknown>): Promise<string | null> {
    try {
      await work();
      return null;
    } catch (error) {
      if (!isAppError(error)) throw error;
      return error.message;
    }
  }

  return {
    async find() {
      const found = await read();
      return found && listed(found);
    },
    async take(seen, chosen) {
      const found = await read();
      if (!found) throw new AppError('settings.changed', 'There are no settings of TARS any more.', {});
      const list = listed(found);
      throwUnlessSeen(seen, list.seen);
      const isChosen = ({ id }: { readonly id: string }) => chosen.includes(id);
      const skipped: string[] = [];
      const taken: TarsFound = {
        ...list,
        providers: [],
        tags: chosen.includes('tags') ? list.tags : { newChat: [], user: [], system: [] },
        prompts: [],
        limits: list.limits.filter(isChosen),
        instructions: chosen.includes('instructions') ? list.instructions : '',
        skipped,
      };
      for (const [at, { config, key }] of found.providers.entries()) {
        const one = list.providers.find(({ id }) => id === providerId(at));
        if (!one || !isChosen(one)) continue;
        const problem = await problemOf(() => providers.save(config, key === '' ? undefined : key));
        if (problem === null) taken.providers.push(one);
        else skipped.push(`#${config.tag}: ${problem}`);
      }
      const { tags } = settings.current.get();
      // A provider that came just now may have taken a name.
      const names = newTags(taken.tags, skipped);
      settings.change({
        tags: {
          newChat: [...tags.newChat, ...names.newChat],
          user: [...tags.user, ...names.user],
          system: [...tags.system, ...names.system],
        },
        ...(taken.limits.length > 0 && {
          tools: Object.fromEntries(taken.limits.map(({ limit, theirs }) => [limit, theirs])),
        }),
        ...(taken.instructions !== '' && { chat: { systemPrompt: taken.instructions } }),
      });
      for (const [at, { title, template }] of found.prompts.entries()) {
        const one = { id: promptId(at), title };
        if (!isChosen(one)) continue;
        const path = `.interlinear/prompts/${promptName(title)}.md`;
        const problem = await problemOf(() => vault.create(path, `${template.trim()}\n`));
        if (problem === null) taken.prompts.push(one);
        else skipped.push(`“${title}”: ${problem}`);
      }
      return { ...taken, tags: names };
    },
  };
}

const providerId = (at: number) => `provider-${at}`;
const promptId = (at: number) => `prompt-${at}`;
const limitNames = ['timeout', 'concurrency', 'callsPerNote'] as const;

const promptName = (title: string) =>
  title
    .replace(/[\\/:*?"<>|#^[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim() || 'Prompt';
