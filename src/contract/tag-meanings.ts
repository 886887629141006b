import { AppError } from './errors';
import { demoProvider } from './providers';
import { type Settings, type TagMeaning, tagRoles } from './settings';

const fold = (tag: string) => tag.normalize('NFC').toLowerCase();

export const isSameTag = (a: string, b: string): boolean => fold(a) === fold(b);

/** What a tag means besides somebody who answers, read as in a note: the whole of it, else what stands before a slash. */
export function roleOfTag(tag: string, tags: Settings['tags']): Exclude<TagMeaning, 'model'> | null {
  const of = (name: string) =>
    tagRoles.find((role) => tags[role].some((one) => isSameTag(one, name))) ?? null;
  return of(tag) ?? of(tag.split('/', 1)[0] ?? tag);
}

export interface TagClash {
  readonly tag: string;
  /** What the tag goes on meaning. */
  readonly held: TagMeaning;
  /** What it cannot mean besides. */
  readonly claim: TagMeaning;
  /** The provider that cannot answer under it; null: a list of tags says it twice. */
  readonly provider: string | null;
}

type WithTags = Pick<Settings, 'tags' | 'providers'> & Partial<Pick<Settings, 'formerTags'>>;

/** Each place where settings give a second meaning to a tag. */
export function tagClashes({ tags, providers, formerTags = [] }: WithTags): TagClash[] {
  const lists = tagRoles.flatMap((role, at) =>
    tags[role].flatMap((tag): TagClash[] => {
      const owner = tagRoles.slice(0, at).find((other) => tags[other].some((one) => isSameTag(one, tag)));
      // What a model said would be read as somebody else's words.
      if (!owner && formerTags.some((former) => isSameTag(former, tag)))
        return [{ tag, held: 'model', claim: role, provider: null }];
      return owner ? [{ tag, held: owner, claim: role, provider: null }] : [];
    }),
  );
  const all = providers.some(({ id }) => id === demoProvider.id) ? providers : [...providers, demoProvider];
  const models = all.flatMap(({ id, tag }, at): TagClash[] => {
    const isTaken = all.slice(0, at).some((other) => isSameTag(other.tag, tag));
    const owner = roleOfTag(tag, tags) ?? (isTaken ? 'model' : null);
    return owner ? [{ tag, held: owner, claim: 'model', provider: id }] : [];
  });
  return [...lists, ...models];
}

/** The first clash that a change would bring; one that was there before does not stop other changes. */
export function newClash(before: WithTags, after: WithTags): TagClash | null {
  const keyOf = ({ tag, ...rest }: TagClash) => JSON.stringify([fold(tag), rest]);
  const earlier = new Set(tagClashes(before).map(keyOf));
  return tagClashes(after).find((clash) => !earlier.has(keyOf(clash))) ?? null;
}

export function tagTaken({ tag, held, claim }: Omit<TagClash, 'provider'>): AppError<'settings.tag-taken'> {
  const tagName = `The tag “#${tag.slice(0, 100)}”`;
  const message =
    held === claim
      ? `${tagName} belongs to another model already.`
      : `${tagName} cannot mean both ${meanings[held]} and ${meanings[claim]}.`;
  return new AppError('settings.tag-taken', message, { tag, held, claim });
}

const meanings: Record<TagMeaning, string> = {
  newChat: 'a new conversation',
  user: 'what you say',
  system: 'instructions',
  model: 'what a model says',
};
