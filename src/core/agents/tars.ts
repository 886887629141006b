import { z } from 'zod';
import type { ProviderConfig } from '../../contract/providers';

/** `.obsidian/plugins/tars/data.json`, as far as it can be taken over. Anything may be missing. */
const Names = z.array(z.string()).catch([]).default([]);
const TarsData = z.object({
  providers: z
    .array(
      z.object({
        tag: z.string().catch(''),
        vendor: z.string().catch(''),
        options: z.record(z.string(), z.unknown()).catch({}),
      }),
    )
    .catch([])
    .default([]),
  newChatTags: Names,
  userTags: Names,
  systemTags: Names,
  promptTemplates: z
    .array(z.object({ title: z.string(), template: z.string() }))
    .catch([])
    .default([]),
  mcpGlobalTimeout: z.number().int().min(100).optional().catch(undefined),
  mcpConcurrentLimit: z.number().int().min(1).max(64).optional().catch(undefined),
  mcpSessionLimit: z.number().int().min(-1).optional().catch(undefined),
  enableDefaultSystemMsg: z.boolean().catch(false).default(false),
  defaultSystemMsg: z.string().catch('').default(''),
});

export interface TarsProvider {
  readonly config: Omit<ProviderConfig, 'id'>;
  readonly key: string;
}

export interface TarsSettings {
  readonly providers: readonly TarsProvider[];
  readonly tags: { readonly newChat: string[]; readonly user: string[]; readonly system: string[] };
  readonly prompts: readonly { readonly title: string; readonly template: string }[];
  readonly systemPrompt: string;
  /** Of tool calls, as settings here name them; only what is set. */
  readonly tools: {
    readonly timeout?: number;
    readonly concurrency?: number;
    readonly callsPerNote?: number;
  };
  readonly skipped: readonly string[];
}

const vendors: Readonly<Record<string, string>> = { claude: 'anthropic' };
const tagName = /^[\p{L}\p{N}\p{Emoji}_\-/]+$/u;
/** Fields of a provider that have a name of their own here; the rest of its options went into the request body. */
const ours = new Set([
  'apiKey',
  'apiSecret',
  'baseURL',
  'model',
  'parameters',
  'endpoint',
  'apiVersion',
  'max_tokens',
  'enableThinking',
  'budget_tokens',
  'enableWebSearch',
  'displayWidth',
  'background',
  'n',
  'output_compression',
  'output_format',
  'quality',
  'size',
  'token',
  'thinkingMode',
  'reasoningEffort',
]);

export function readTars(
  data: unknown,
  isVendor: (id: string) => boolean,
  ownAddresses: (vendor: string) => readonly string[],
): TarsSettings {
  const tars = TarsData.catch(TarsData.parse({})).parse(data);
  const skipped: string[] = [];
  const providers = tars.providers.flatMap(({ tag, vendor: name, options }): TarsProvider[] => {
    const vendor = vendors[name.toLowerCase()] ?? name.toLowerCase();
    if (!isVendor(vendor)) {
      skipped.push(`#${tag}: its vendor “${name}” is not known here.`);
      return [];
    }
    if (!tagName.test(tag)) {
      skipped.push(`“${tag}” can't be a tag here.`);
      return [];
    }
    const text = (key: string) => (typeof options[key] === 'string' ? options[key].trim() : '');
    const address = (vendor === 'azure' ? text('endpoint') : '') || text('baseURL');
    const elsewhere = address !== '' && !ownAddresses(vendor).some((own) => sameSite(own, address));
    const custom = vendor === 'openai' && elsewhere;
    const maxTokens = Number(options.max_tokens);
    const parameters = {
      ...Object.fromEntries(Object.entries(options).filter(([key]) => !ours.has(key))),
      ...(typeof options.parameters === 'object' ? options.parameters : {}),
    } as NonNullable<ProviderConfig['parameters']>;
    // QianFan's old interface took a key and a secret; the present one takes neither.
    const key = vendor === 'qianfan' && text('apiSecret') !== '' ? '' : text('apiKey');
    if (vendor === 'qianfan' && text('apiSecret') !== '')
      skipped.push(`#${tag}: its key is of the old kind; make a new one.`);
    return [
      {
        key,
        config: {
          vendor: custom ? 'openai-compatible' : vendor,
          tag,
          model: text('model') || 'unknown',
          ...(custom && { format: 'openai-chat' as const }),
          ...(elsewhere && { baseUrl: address }),
          ...(text('apiVersion') !== '' && { apiVersion: text('apiVersion') }),
          ...(Number.isInteger(maxTokens) && maxTokens > 0 && { maxTokens }),
          ...(options.enableThinking === true && { reasoningEffort: 'medium' as const }),
          ...(options.enableWebSearch === true && { webSearch: true }),
          ...(Object.keys(parameters).length > 0 && { parameters }),
        },
      },
    ];
  });
  const usable = (names: string[]) => names.filter((name) => tagName.test(name));
  const { mcpGlobalTimeout: timeout, mcpConcurrentLimit: concurrency, mcpSessionLimit: callsPerNote } = tars;
  return {
    providers,
    tools: {
      ...(timeout !== undefined && { timeout }),
      ...(concurrency !== undefined && { concurrency }),
      ...(callsPerNote !== undefined && { callsPerNote }),
    },
    tags: { newChat: usable(tars.newChatTags), user: usable(tars.userTags), system: usable(tars.systemTags) },
    prompts: tars.promptTemplates,
    systemPrompt: tars.enableDefaultSystemMsg ? tars.defaultSystemMsg : '',
    skipped,
  };
}

function sameSite(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).host === new URL(b).host;
}

/** TARS's own note of templates: slides between `---`; the first explains, the others have a heading and a text. */
export function readPromptSlides(text: string): { title: string; template: string }[] {
  const slides = text
    .replaceAll('\r\n', '\n')
    .split(/^---[ \t]*$/m)
    .slice(1);
  return slides.flatMap((slide) => {
    const [, title = '', template = ''] = /^\s*#{1,6}\s+(.+)\n([\s\S]*)$/.exec(slide) ?? [];
    return title.trim() === '' || template.trim() === ''
      ? []
      : [{ title: title.trim(), template: template.trim() }];
  });
}
