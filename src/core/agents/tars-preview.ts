import { createHash } from 'node:crypto';
import type { TarsFound } from '../../contract/agents';
import type { Vendor } from '../../contract/providers';
import type { Settings } from '../../contract/settings';
import { isSameTag, newClash, tagTaken } from '../../contract/tag-meanings';
import { maskedAddress, maskedText } from '../foundation';
import type { TarsSettings } from './tars';

/** What of it can be taken over, as a person is shown it, and why the rest can't. */
export function tarsPreview(tars: TarsSettings, settings: Settings, vendors: readonly Vendor[]): TarsFound {
  const { tools, chat, providers: configured } = settings;
  const skipped = [...tars.skipped];
  return {
    seen: createHash('sha256').update(JSON.stringify(tars)).digest('hex'),
    providers: tars.providers.flatMap(({ config, key }, at) => {
      const { tag, vendor, model, baseUrl, format: _, ...options } = config;
      const before = tars.providers.slice(0, at).map((other) => other.config);
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
    tags: newTags(tars.tags, settings, skipped),
    prompts: tars.prompts.map(({ title }, at) => ({ id: promptId(at), title })),
    limits: limitNames.flatMap((limit) => {
      const [ours, theirs] = [tools[limit], tars.tools[limit]];
      return theirs === undefined || theirs === ours ? [] : [{ id: `limit-${limit}`, limit, ours, theirs }];
    }),
    instructions: chat.systemPrompt === '' ? tars.systemPrompt : '',
    skipped,
  };
}

/** Names that are new here; those that mean something else already are told. */
export function newTags(
  tags: TarsSettings['tags'],
  { tags: own, providers: configured }: Settings,
  skipped: string[],
): TarsFound['tags'] {
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

export const providerId = (at: number) => `provider-${at}`;
export const promptId = (at: number) => `prompt-${at}`;
const limitNames = ['timeout', 'concurrency', 'callsPerNote'] as const;
