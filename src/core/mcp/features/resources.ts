import { z } from 'zod';
import type { ResourceContent, ResourceList } from '../../../contract/mcp';
import { mostWords } from '../fence/listed-words';
import { MalformedResult } from './call-result';

const text = z.string().optional().catch(undefined);
const Resource = z.looseObject({
  uri: z.string().min(1).max(mostWords.name),
  name: z.string().max(mostWords.name).catch(''),
  title: text,
  description: text,
  mimeType: text,
  size: z.number().optional().catch(undefined),
});
const Template = Resource.omit({ uri: true, size: true }).extend({
  uriTemplate: z.string().min(1).max(mostWords.name),
});
const words = z.string().nullish();
const Content = z.looseObject({ uri: z.string(), mimeType: text, text: words, blob: words });

/** Each read by itself: one that is broken is left out. */
export function readResources(items: readonly unknown[], templates: readonly unknown[]): ResourceList {
  return {
    resources: items.flatMap((item) => {
      const { success, data } = Resource.safeParse(item);
      if (!success) return [];
      const { uri, name, title, description = '', mimeType = null, size = null } = data;
      return [
        { uri, name: name || uri, title: title ?? (name || uri), description, mediaType: mimeType, size },
      ];
    }),
    templates: templates.flatMap((item) => {
      const { success, data } = Template.safeParse(item);
      if (!success) return [];
      const { uriTemplate, name, title, description = '', mimeType = null } = data;
      return [{ uriTemplate, name, title: title ?? (name || uriTemplate), description, mediaType: mimeType }];
    }),
  };
}

/** Throws `MalformedResult`. */
export function readContents(raw: unknown): ResourceContent[] {
  const { success, data, error } = z.looseObject({ contents: z.array(Content) }).safeParse(raw);
  if (!success) throw new MalformedResult([`“${error.issues[0]?.path.join('.')}” is missing or wrong`]);
  return data.contents.map(({ uri, mimeType = null, text = null, blob = null }) => ({
    uri,
    mediaType: mimeType,
    text,
    base64: blob,
  }));
}
