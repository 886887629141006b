import { AppError } from '../../contract/errors';
import type { ProviderConfig, Vendor, WireFormat } from '../../contract/providers';
import { openaiQuirks, type Quirks, usual } from './quirks';

export interface VendorRow extends Vendor {
  readonly quirks: Quirks;
}

const chat: WireFormat[] = ['openai-chat'];
const rows: Omit<VendorRow, 'webSearch' | 'address'>[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    formats: ['openai-responses', 'openai-chat'],
    baseUrls: [{ label: 'OpenAI', url: 'https://api.openai.com/v1' }],
    needsKey: true,
    keyVariables: ['OPENAI_API_KEY'],
    keyPage: 'https://platform.openai.com/api-keys',
    defaultModel: 'gpt-5.6-terra',
    models: [
      'gpt-6-astra',
      'gpt-6-sol',
      'gpt-6-luna',
      'gpt-5.6-sol',
      'gpt-5.6-terra',
      'gpt-5.6-luna',
      'gpt-5.5',
      'gpt-5.4-mini',
    ],
    quirks: openaiQuirks,
  },
  {
    id: 'azure',
    label: 'Azure OpenAI',
    formats: ['openai-chat', 'openai-responses'],
    baseUrls: [{ label: 'Your resource', url: 'https://YOUR-RESOURCE.openai.azure.com' }],
    needsKey: true,
    keyVariables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    keyPage: 'https://portal.azure.com/#view/Microsoft_Azure_ProjectOxford/CognitiveServicesHub/~/OpenAI',
    defaultModel: null,
    models: [],
    quirks: { ...openaiQuirks, auth: 'api-key', images: usual.images },
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    formats: ['openai-chat', 'openai-responses'],
    baseUrls: [{ label: 'OpenRouter', url: 'https://openrouter.ai/api/v1' }],
    needsKey: true,
    keyVariables: ['OPENROUTER_API_KEY'],
    keyPage: 'https://openrouter.ai/settings/keys',
    defaultModel: 'openrouter/auto',
    models: ['openrouter/auto'],
    quirks: {
      ...usual,
      returnReasoning: 'reasoning_details',
      cacheMarks: /^~?anthropic\/|claude/,
      effort: 'reasoning',
      // Asks for what it cost, in dollars.
      always: { usage: { include: true } },
      webSearch: { plugins: [{ id: 'web' }] },
      pdf: true,
    },
  },
  {
    id: 'ollama',
    label: 'Ollama',
    formats: ['ollama-chat', 'openai-chat'],
    baseUrls: [
      { label: 'This computer', url: 'http://127.0.0.1:11434' },
      { label: 'Ollama Cloud', url: 'https://ollama.com' },
    ],
    needsKey: false,
    keyVariables: ['OLLAMA_API_KEY'],
    keyPage: 'https://ollama.com/settings/keys',
    defaultModel: null,
    models: [],
    quirks: { ...usual, returnReasoning: 'as-received' },
  },
  {
    id: 'anthropic',
    label: 'Claude',
    formats: ['anthropic-messages'],
    baseUrls: [{ label: 'Anthropic', url: 'https://api.anthropic.com' }],
    needsKey: true,
    keyVariables: ['ANTHROPIC_API_KEY'],
    keyPage: 'https://console.anthropic.com/settings/keys',
    defaultModel: 'claude-sonnet-5-5',
    models: [
      'claude-opus-5-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
      'claude-opus-5',
      'claude-sonnet-5',
      'claude-haiku-4-5',
    ],
    quirks: { ...usual, pdf: true },
  },
  {
    id: 'gemini',
    label: 'Gemini',
    formats: ['gemini-generateContent'],
    baseUrls: [{ label: 'Google AI', url: 'https://generativelanguage.googleapis.com' }],
    needsKey: true,
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keyPage: 'https://aistudio.google.com/apikey',
    defaultModel: 'gemini-3.8-flash',
    models: [
      'gemini-3.8-flash',
      'gemini-3.7-flash',
      'gemini-3.6-flash',
      'gemini-3.5-flash',
      'gemini-3.1-pro-preview',
    ],
    quirks: { ...usual, pdf: true },
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    formats: ['openai-chat', 'openai-responses', 'anthropic-messages'],
    baseUrls: [{ label: 'DeepSeek', url: 'https://api.deepseek.com' }],
    needsKey: true,
    keyVariables: ['DEEPSEEK_API_KEY'],
    keyPage: 'https://platform.deepseek.com/api_keys',
    defaultModel: 'deepseek-v4-flash',
    models: ['deepseek-v4-flash', 'deepseek-v4-pro'],
    quirks: { ...usual, backfillReasoning: true, effort: 'thinking-and-effort', images: /vision/ },
  },
  {
    id: 'grok',
    label: 'Grok',
    formats: ['openai-chat', 'openai-responses'],
    baseUrls: [{ label: 'xAI', url: 'https://api.x.ai/v1' }],
    needsKey: true,
    keyVariables: ['XAI_API_KEY', 'GROK_API_KEY'],
    keyPage: 'https://console.x.ai',
    defaultModel: 'grok-4.7',
    models: ['grok-4.7', 'grok-4.5', 'grok-4.3'],
    quirks: { ...usual, returnReasoning: 'never' },
  },
  {
    id: 'kimi',
    label: 'Kimi',
    formats: chat,
    baseUrls: [
      { label: 'International', url: 'https://api.moonshot.ai/v1' },
      { label: 'China', url: 'https://api.moonshot.cn/v1' },
    ],
    needsKey: true,
    keyVariables: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
    keyPage: 'https://platform.moonshot.ai/console/api-keys',
    defaultModel: 'kimi-k3',
    models: ['kimi-k3', 'kimi-k2.6', 'kimi-k2.7-code'],
    quirks: { ...usual, backfillReasoning: true, effort: 'thinking', alwaysThinks: /k2\.7-code/ },
  },
  {
    id: 'qwen',
    label: 'Qwen',
    formats: chat,
    baseUrls: [
      { label: 'China', url: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
      { label: 'International', url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1' },
    ],
    needsKey: true,
    keyVariables: ['DASHSCOPE_API_KEY', 'QWEN_API_KEY'],
    keyPage: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    defaultModel: 'qwen3.6-plus',
    models: ['qwen3.7-max', 'qwen3.6-plus', 'qwen3.5-flash', 'qwen3-max'],
    quirks: {
      ...usual,
      effort: 'enable_thinking',
      webSearch: { enable_search: true },
      inlineDefinitions: true,
      images: /vl|omni|plus|flash|qvq/,
    },
  },
  {
    id: 'siliconflow',
    label: 'SiliconFlow',
    formats: chat,
    baseUrls: [
      { label: 'China', url: 'https://api.siliconflow.cn/v1' },
      { label: 'International', url: 'https://api.siliconflow.com/v1' },
    ],
    needsKey: true,
    keyVariables: ['SILICONFLOW_API_KEY'],
    keyPage: 'https://cloud.siliconflow.cn/account/ak',
    defaultModel: 'deepseek-ai/DeepSeek-V4-Pro',
    models: [
      'deepseek-ai/DeepSeek-V4-Pro',
      'Pro/moonshotai/Kimi-K2.6',
      'Pro/zai-org/GLM-5.1',
      'Qwen/Qwen3.6-35B-A3B',
    ],
    quirks: { ...usual, effort: 'enable_thinking', images: /VL|Kimi|[Vv]ision/ },
  },
  {
    id: 'zhipu',
    label: 'Zhipu',
    formats: chat,
    baseUrls: [
      { label: 'China', url: 'https://open.bigmodel.cn/api/paas/v4' },
      { label: 'International (Z.ai)', url: 'https://api.z.ai/api/paas/v4' },
      { label: 'Coding plan', url: 'https://open.bigmodel.cn/api/coding/paas/v4' },
    ],
    needsKey: true,
    keyVariables: ['ZHIPU_API_KEY', 'ZHIPUAI_API_KEY', 'ZAI_API_KEY'],
    keyPage: 'https://open.bigmodel.cn/usercenter/apikeys',
    defaultModel: 'glm-5.2',
    models: ['glm-5.2', 'glm-5.1', 'glm-5v-turbo', 'glm-4.7-flash'],
    quirks: {
      ...usual,
      effort: 'thinking-kept',
      alwaysThinks: /glm-5\.3/,
      streamOptions: false,
      toolStream: true,
      listsModels: false,
      images: /\dv/,
    },
  },
  {
    id: 'doubao',
    label: 'Doubao',
    formats: ['openai-chat', 'openai-responses'],
    baseUrls: [{ label: 'Volcengine Ark', url: 'https://ark.cn-beijing.volces.com/api/v3' }],
    needsKey: true,
    keyVariables: ['ARK_API_KEY', 'DOUBAO_API_KEY'],
    keyPage: 'https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey',
    defaultModel: 'doubao-seed-2-1-pro-260628',
    models: ['doubao-seed-2-1-pro-260628', 'doubao-seed-2-1-turbo-260628', 'doubao-seed-1-8-251228'],
    quirks: { ...usual, effort: 'thinking-and-effort', stripReasoning: /doubao-(1|seed-1-[0-6]|seed-code)/ },
  },
  {
    id: 'qianfan',
    label: 'QianFan',
    formats: chat,
    baseUrls: [{ label: 'Baidu', url: 'https://qianfan.baidubce.com/v2' }],
    needsKey: true,
    keyVariables: ['QIANFAN_API_KEY', 'BAIDU_API_KEY'],
    keyPage: 'https://console.bce.baidu.com/iam/#/iam/apikey/list',
    defaultModel: 'ernie-5.0',
    models: ['ernie-5.0', 'ernie-4.5-turbo-128k', 'ernie-4.5-turbo-32k'],
    quirks: { ...usual, effort: 'enable_thinking', alwaysThinks: /ernie-5/, images: /vl|ernie-5/ },
  },
  {
    id: 'openai-compatible',
    label: 'OpenAI-compatible',
    formats: [
      'openai-chat',
      'openai-responses',
      'anthropic-messages',
      'gemini-generateContent',
      'ollama-chat',
    ],
    baseUrls: [
      { label: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
      { label: 'llama.cpp', url: 'http://127.0.0.1:8080/v1' },
      { label: 'vLLM', url: 'http://127.0.0.1:8000/v1' },
    ],
    needsKey: false,
    keyVariables: [],
    keyPage: null,
    defaultModel: null,
    models: [],
    quirks: { ...usual, returnReasoning: 'as-received', pdf: false },
  },
  {
    id: 'demo',
    label: 'Demo (no model)',
    formats: ['demo'],
    baseUrls: [],
    needsKey: false,
    keyVariables: [],
    keyPage: null,
    defaultModel: 'demo',
    models: ['demo'],
    quirks: { ...usual, images: /(?!)/ },
  },
];

const searching = new Set(['openai', 'azure', 'anthropic', 'gemini', 'grok']);
const addresses = new Map<string, VendorRow['address']>([
  ['azure', 'own'],
  ['ollama', 'local'],
  ['openai-compatible', 'local'],
]);
/** The fourteen vendors, "OpenAI-compatible" for any other address, and the demo. */
export const vendorRows: readonly VendorRow[] = rows.map((row) => ({
  ...row,
  address: addresses.get(row.id) ?? 'known',
  webSearch: searching.has(row.id) || row.quirks.webSearch !== null,
  searchesInChat: row.quirks.webSearch !== null,
}));

const byId = new Map(vendorRows.map((row) => [row.id, row]));

export function vendorById(id: string): VendorRow | undefined {
  return byId.get(id);
}

/** Throws `provider.unknown`. */
export function vendorOf(config: Pick<ProviderConfig, 'vendor'>): VendorRow {
  const row = vendorById(config.vendor);
  if (!row)
    throw new AppError('provider.unknown', `No vendor is called “${config.vendor}”.`, {
      provider: config.vendor,
    });
  return row;
}
