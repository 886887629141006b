import { z } from 'zod';
import type { ResourceContent, ResourceList } from '../../contract/mcp';

const text = z.string().optional().catch(undefined);
const Resource = z.looseObject({
  uri: z.string().min(1),
  name: z.string().catch(''),
  title: text,
  description: text,
  mimeType: text,
  size: z.number().optional().catch(undefined),
});
const Template = Resource.omit({ uri: true, size: true }).extend({ uriTemplate: z.string().min(1) });
const Content = z.looseObject({ uri: z.string(), mimeType: text, text, blob: text });

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

export function readContents(raw: unknown): ResourceContent[] {
  const { success, data } = z.looseObject({ contents: z.array(z.unknown()) }).safeParse(raw);
  if (!success) return [];
  return data.contents.flatMap((item) => {
    const content = Content.safeParse(item);
    if (!content.success) return [];
    const { uri, mimeType = null, text: words = null, blob = null } = content.data;
    return [{ uri, mediaType: mimeType, text: words, base64: blob }];
  });
}
