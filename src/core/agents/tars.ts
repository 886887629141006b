import { z } from 'zod';
import { type ProviderConfig, tagName } from '../../contract/providers';

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
  mcpServers: z.array(z.unknown()).catch([]).default([]),
  mcpGlobalTimeout: z.unknown().optional(),
  mcpConcurrentLimit: z.unknown().optional(),
  mcpSessionLimit: z.unknown().optional(),
  enableDefaultSystemMsg: z.boolean().catch(false).default(false),
  defaultSystemMsg: z.string().catch('').default(''),
});

/** The limits of its fork, under the names that the settings have here. */
const limits = [
  {
    key: 'mcpGlobalTimeout',
    ours: 'timeout',
    shape: z.number().int().min(100),
    expected: 'at least 100 milliseconds',
  },
  {
    key: 'mcpConcurrentLimit',
    ours: 'concurrency',
    shape: z.number().int().min(1).max(64),
    expected: 'a whole number from 1 to 64',
  },
  {
    key: 'mcpSessionLimit',
    ours: 'callsPerNote',
    shape: z.number().int().min(-1),
    expected: 'a whole number, or -1 for no limit',
  },
] as const;

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
  const tools: { -readonly [K in keyof TarsSettings['tools']]: TarsSettings['tools'][K] } = {};
  for (const { key, ours, shape, expected } of limits) {
    const value = tars[key];
    if (value === undefined || value === null) continue;
    const parsed = shape.safeParse(value);
    if (parsed.success) tools[ours] = parsed.data;
    else
      skipped.push(
        `${key}: “${JSON.stringify(value).slice(0, 100)}” can't be a limit here; it takes ${expected}.`,
      );
  }
  const servers = tars.mcpServers.length;
  if (servers > 0)
    skipped.push(`${servers} server${servers === 1 ? '' : 's'}: “Add servers” offers what is not here yet.`);
  return {
    providers,
    tools,
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
    const [, title = '', template = ''] = /^\s*#{1,6}\s+(\S.*)\n([\s\S]*)$/.exec(slide) ?? [];
    return title.trim() === '' || template.trim() === ''
      ? []
      : [{ title: title.trim(), template: template.trim() }];
  });
}
