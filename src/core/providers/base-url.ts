import type { ProviderConfig, WireFormat } from '../../contract/providers';
import { isSecretInAddress, maskedAddress } from '../foundation';
import type { VendorRow } from './vendors';

const endpoints = /\/(chat\/completions|responses|messages|models|api\/chat|api\/tags)$/;

/** The address that requests start with: what a person typed, made whole, else the vendor's own. */
export function baseUrlFor(
  vendor: VendorRow,
  format: WireFormat,
  typed: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const host = vendor.id === 'ollama' ? environment.OLLAMA_HOST : undefined;
  const address = typed?.trim() || (host ? ollamaAddress(host) : '') || (vendor.baseUrls[0]?.url ?? '');
  if (address === '' || vendor.id === 'azure') return address;
  const url = address.replace(/(?<!\/)\/+$/, '').replace(endpoints, '');
  const openai = format === 'openai-chat' || format === 'openai-responses';
  const bare = /^https?:\/\/[^/]+$/.test(url);
  const versioned = vendor.id === 'openai-compatible' || vendor.id === 'openai' || vendor.id === 'ollama';
  return openai && bare && versioned ? `${url}/v1` : url;
}

/** As it may be shown: an address with a secret in it is used for nothing else. */
export function withShownAddress(config: ProviderConfig): ProviderConfig {
  const { baseUrl = '' } = config;
  return isSecretInAddress(baseUrl) ? { ...config, baseUrl: maskedAddress(baseUrl) } : config;
}

/** `OLLAMA_HOST` says where the server listens, in short forms such as `0.0.0.0`, `:11434` or `box:8080`. */
export function ollamaAddress(host: string): string {
  const text = host.trim().replace(/(?<!\/)\/+$/, '');
  const [, scheme = 'http', rest = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(text) ?? [];
  const [authority = '', ...path] = rest.split('/');
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  const reachable = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  const implied = text.startsWith('http') ? '' : ':11434';
  return `${scheme}://${reachable}${port ? `:${port}` : implied}${path.map((part) => `/${part}`).join('')}`;
}
