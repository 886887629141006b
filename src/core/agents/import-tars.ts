import type { TarsFound } from '../../contract/agents';
import { AppError, isAppError } from '../../contract/errors';
import type { Settings } from '../../contract/settings';
import { type Observable, throwUnlessSeen } from '../foundation';
import type { Providers } from '../providers';
import type { Vault } from '../vault';
import type { TarsSettings } from './tars';
import { readTarsFiles } from './tars-files';
import { newTags, promptId, providerId, tarsPreview } from './tars-preview';

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
  const readFiles = () => readTarsFiles(vault.root(), providers.vendors());
  const offerOf = (tars: TarsSettings) => tarsPreview(tars, settings.current.get(), providers.vendors());

  return {
    async find() {
      const tars = await readFiles();
      return tars && offerOf(tars);
    },
    async take(seen, chosen) {
      const tars = await readFiles();
      if (!tars) throw new AppError('settings.changed', 'There are no settings of TARS any more.', {});
      const offer = offerOf(tars);
      throwUnlessSeen(seen, offer.seen);
      const isChosen = ({ id }: { readonly id: string }) => chosen.includes(id);
      const skipped: string[] = [];
      const result: TarsFound = {
        ...offer,
        providers: [],
        tags: chosen.includes('tags') ? offer.tags : { newChat: [], user: [], system: [] },
        prompts: [],
        limits: offer.limits.filter(isChosen),
        instructions: chosen.includes('instructions') ? offer.instructions : '',
        skipped,
      };
      for (const [at, { config, key }] of tars.providers.entries()) {
        const one = offer.providers.find(({ id }) => id === providerId(at));
        if (!one || !isChosen(one)) continue;
        const problem = await problemOf(() => providers.save(config, key === '' ? undefined : key));
        if (problem === null) result.providers.push(one);
        else skipped.push(`#${config.tag}: ${problem}`);
      }
      const present = settings.current.get();
      const { tags } = present;
      // A provider that came just now may have taken a name.
      const names = newTags(result.tags, present, skipped);
      settings.change({
        tags: {
          newChat: [...tags.newChat, ...names.newChat],
          user: [...tags.user, ...names.user],
          system: [...tags.system, ...names.system],
        },
        ...(result.limits.length > 0 && {
          tools: Object.fromEntries(result.limits.map(({ limit, theirs }) => [limit, theirs])),
        }),
        ...(result.instructions !== '' && { chat: { systemPrompt: result.instructions } }),
      });
      for (const [at, { title, template }] of tars.prompts.entries()) {
        const one = { id: promptId(at), title };
        if (!isChosen(one)) continue;
        const path = `.interlinear/prompts/${promptName(title)}.md`;
        const problem = await problemOf(() => vault.create(path, `${template.trim()}\n`));
        if (problem === null) result.prompts.push(one);
        else skipped.push(`“${title}”: ${problem}`);
      }
      return { ...result, tags: names };
    },
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

const promptName = (title: string) =>
  title
    .replace(/[\\/:*?"<>|#^[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim() || 'Prompt';
