import { z } from 'zod';
import type { ToolCallers } from '../../../contract/tools';

/** A page that a server brings. What it may reach is as the server said it, unchecked. */
export interface ServerView {
  readonly html: string;
  readonly csp: unknown;
}

/** The one type of page that the extension MCP Apps knows. */
export const viewType = 'text/html;profile=mcp-app';

/** Characters. Larger pages exist, but none that a note should hold. */
const largestView = 10_000_000;

const Address = z
  .string()
  .max(2048)
  .regex(/^ui:\/\/\S/);
const Callers = z.array(z.enum(['model', 'app']));
const ToolMeta = z.object({
  ui: z
    .object({
      resourceUri: Address.optional().catch(undefined),
      visibility: Callers.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  /** Where it stood before the extension was settled. */
  'ui/resourceUri': Address.optional().catch(undefined),
});

/** What a tool says of its page and of who may call it; broken parts of it are left out. */
export function readToolView(meta: unknown): { viewUri?: string; callers?: ToolCallers } {
  const { success, data } = ToolMeta.safeParse(meta);
  if (!success) return {};
  const viewUri = data.ui?.resourceUri ?? data['ui/resourceUri'];
  const visibility = data.ui?.visibility;
  const both = visibility === undefined || (visibility.includes('model') && visibility.includes('app'));
  return {
    ...(viewUri !== undefined && { viewUri }),
    ...(!both && { callers: visibility.map((caller) => (caller === 'app' ? 'view' : caller)) }),
  };
}

const Meta = z.looseObject({
  ui: z.looseObject({ csp: z.unknown() }).optional().catch(undefined),
});
const Page = z.looseObject({
  uri: z.string(),
  mimeType: z.string(),
  text: z.string().optional(),
  blob: z.string().optional(),
  _meta: Meta.optional().catch(undefined),
});
const Contents = z.looseObject({ contents: z.array(z.unknown()) });

/** The page among the contents of a resource, with what is said of it there or else in the list of resources. */
export async function readView(
  raw: unknown,
  uri: string,
  list: () => Promise<readonly unknown[]>,
): Promise<ServerView | null> {
  const contents = Contents.safeParse(raw).data?.contents ?? [];
  for (const content of contents) {
    const page = Page.safeParse(content).data;
    if (!page || !isViewType(page.mimeType)) continue;
    const html = page.text ?? (page.blob === undefined ? undefined : fromBase64(page.blob));
    if (html === undefined || html.length > largestView) return null;
    const ui = page._meta?.ui ?? (await listedMeta(uri, list));
    return { html, csp: ui?.csp };
  }
  return null;
}

const isViewType = (type: string) => type.toLowerCase().replace(/[\s"]/g, '') === viewType;

const fromBase64 = (blob: string) =>
  blob.length > 2 * largestView ? undefined : Buffer.from(blob, 'base64').toString('utf8');

async function listedMeta(uri: string, list: () => Promise<readonly unknown[]>) {
  const Listed = z.looseObject({ uri: z.literal(uri), _meta: Meta });
  const items = await list().catch(() => []);
  for (const item of items) {
    const { success, data } = Listed.safeParse(item);
    if (success) return data._meta.ui;
  }
  return undefined;
}
