import {
  hasEmbeddingName,
  type ProviderConfig,
  type ProviderEntry,
  tagName,
  type Vendor,
  vendorTag,
} from '../../../contract/providers';
import { t } from '../../base/text/text';
import { readArguments, Unread } from '../../base/text/typed-json';

/** What the form holds: everything as text, as it stands in the boxes. */
export interface ProviderDraft {
  vendor: string;
  tag: string;
  model: string;
  key: string;
  baseUrl: string;
  format: string;
  apiVersion: string;
  contextSize: string;
  temperature: string;
  maxTokens: string;
  reasoningEffort: string;
  webSearch: boolean;
  stream: boolean;
  /** JSON, as typed. */
  parameters: string;
}

/** Under which its form keeps what is typed; without a provider: of a new one. */
export const providerDraftKey = (provider: Pick<ProviderEntry, 'id'> | null) =>
  `provider ${provider?.id ?? ''}`;

export function draftOf(provider: ProviderEntry | null): ProviderDraft {
  return {
    vendor: provider?.vendor ?? '',
    tag: provider?.tag ?? '',
    model: provider?.model ?? '',
    key: '',
    baseUrl: provider?.baseUrl ?? '',
    format: provider?.format ?? '',
    apiVersion: provider?.apiVersion ?? '',
    contextSize: provider?.contextSize?.toString() ?? '',
    temperature: provider?.temperature?.toString() ?? '',
    maxTokens: provider?.maxTokens?.toString() ?? '',
    reasoningEffort: provider?.reasoningEffort ?? '',
    webSearch: provider?.webSearch ?? false,
    stream: provider?.stream ?? true,
    parameters: provider?.parameters ? JSON.stringify(provider.parameters, null, 2) : '',
  };
}

/** The draft with what a newly chosen vendor suggests. */
export function withVendor(
  draft: ProviderDraft,
  vendor: Vendor,
  takenTags: readonly string[],
): ProviderDraft {
  const usual = vendorTag(vendor);
  let tag = usual;
  for (let n = 2; takenTags.includes(tag); n++) tag = `${usual}${n}`;
  return { ...draft, vendor: vendor.id, tag, model: vendor.defaultModel ?? '', baseUrl: '', format: '' };
}

/** Some vendors search only in another form than chat completions, which is taken unless these are insisted on. */
export function searchesWeb({ searchesInChat }: Vendor, { format }: Pick<ProviderDraft, 'format'>): boolean {
  return format !== 'openai-chat' || searchesInChat === true;
}

const ranges = {
  contextSize: { min: 1_024, whole: true },
  temperature: { min: 0, max: 2, whole: false },
  maxTokens: { min: 1, whole: true },
} as const;

/** What is wrong with a number as it stands in its box, in words; null: nothing. */
export function badNumber(name: keyof typeof ranges, text: string): string | null {
  if (text.trim() === '') return null;
  const range: { min: number; max?: number; whole: boolean } = ranges[name];
  const { min, max, whole } = range;
  const value = Number(text);
  if (value >= min && value <= (max ?? value) && (!whole || Number.isSafeInteger(value))) return null;
  return max === undefined ? t('settings.badNumberMin', { min }) : t('form.outOfRange', { min, max });
}

/** The object that the text holds; undefined for no text, null for anything else. */
export function parametersOf(text: string): ProviderConfig['parameters'] | null {
  if (text.trim() === '') return undefined;
  const parsed = readArguments(text);
  return parsed instanceof Unread ? null : (parsed as NonNullable<ProviderConfig['parameters']>);
}

/** Ollama has models that make vectors of texts and cannot chat. */
export const isEmbedding = (vendor: Vendor | undefined, { model }: ProviderDraft): boolean =>
  vendor?.id === 'ollama' && hasEmbeddingName(model.trim());

export interface ProviderFaults {
  readonly tag: 'needed' | 'badTag' | null;
  readonly model: 'needed' | null;
  readonly baseUrl: 'needed' | null;
  /** Among what few people need; said there. */
  readonly details: boolean;
}

/** What is missing or wrong, whatever else there is. */
export function faultsOfProvider(draft: ProviderDraft, vendor: Vendor | undefined): ProviderFaults {
  const tag = draft.tag.trim();
  const numbers = ['temperature', 'maxTokens', 'contextSize'] as const;
  return {
    tag: tag === '' ? 'needed' : tagName.test(tag) ? null : 'badTag',
    model: draft.model.trim() === '' ? 'needed' : null,
    baseUrl: vendor?.address === 'own' && draft.baseUrl.trim() === '' ? 'needed' : null,
    details:
      parametersOf(draft.parameters) === null ||
      numbers.some((name) => badNumber(name, draft[name]) !== null),
  };
}

/** As the contract wants it; boxes left empty are left out. */
export function configOf(
  draft: ProviderDraft,
  before: ProviderEntry | null,
): Omit<ProviderConfig, 'id'> & { id?: string } {
  const text = (value: string) => (value.trim() === '' ? undefined : value.trim());
  const number = (value: string) => (value.trim() === '' ? undefined : Number(value));
  const entry = {
    vendor: draft.vendor,
    tag: draft.tag.trim(),
    model: draft.model.trim(),
    baseUrl: text(draft.baseUrl),
    format: text(draft.format) as ProviderConfig['format'],
    apiVersion: text(draft.apiVersion),
    contextSize: number(draft.contextSize),
    temperature: number(draft.temperature),
    maxTokens: number(draft.maxTokens),
    reasoningEffort: text(draft.reasoningEffort) as ProviderConfig['reasoningEffort'],
    webSearch: draft.webSearch || undefined,
    stream: draft.stream ? undefined : false,
    parameters: parametersOf(draft.parameters) ?? undefined,
    id: before?.id,
  };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as typeof entry;
}
