import { readFile } from 'node:fs/promises';
import { isSecretInAddress, systemClock } from '../../foundation';
import { ollamaAddress } from '../base-url';
import type { Fetch } from '../transport';
import { createOllamaModels, speaks } from './facts';

const timeoutMs = 1_500;
const mostAsked = 24;

/** Looks for a running Ollama with a model to talk to: `OLLAMA_HOST`, this computer, the Windows host under WSL2. */
export async function findOllama(parts: {
  fetch: Fetch;
  environment: Readonly<Record<string, string | undefined>>;
  /** The kernel's table of routes. */
  routes?: string;
}): Promise<{ baseUrl: string; model: string } | null> {
  const { OLLAMA_HOST: host, WSL_DISTRO_NAME: wsl } = parts.environment;
  const gateway = wsl ? await windowsHost(parts.routes ?? '/proc/net/route') : null;
  const addresses = host
    ? [ollamaAddress(host)]
    : ['http://127.0.0.1:11434', ...(gateway ? [`http://${gateway}:11434`] : [])];
  for (const baseUrl of addresses) {
    if (isSecretInAddress(baseUrl)) continue;
    const model = await bestModel(baseUrl, parts.fetch);
    if (model) return { baseUrl, model };
  }
  return null;
}

/** The one used last that calls tools, else the one used last that speaks at all. */
async function bestModel(baseUrl: string, fetch: Fetch): Promise<string | null> {
  const names = (await namesAt(baseUrl, fetch)).slice(0, mostAsked);
  const models = createOllamaModels({ fetch, clock: systemClock });
  const candidates = await Promise.all(
    names.map(async (name) => ({ name, can: (await models.facts(baseUrl, name)).capabilities })),
  );
  const speaking = candidates.filter(({ name, can }) => speaks(name, can));
  return (speaking.find(({ can }) => can?.includes('tools')) ?? speaking[0])?.name ?? null;
}

async function namesAt(baseUrl: string, fetch: Fetch): Promise<string[]> {
  try {
    const response = await fetch(`${baseUrl}/api/tags`, { signal: AbortSignal.timeout(timeoutMs) });
    const { models } = (await response.json()) as { models?: { name?: unknown }[] };
    return (models ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  } catch {
    return [];
  }
}

/** The default gateway, which under WSL2 is Windows; the kernel lists it as little-endian hexadecimal. */
async function windowsHost(table: string): Promise<string | null> {
  try {
    const routes = (await readFile(table, 'utf8')).split('\n').map((line) => line.split('\t'));
    const gateway = routes.find(([, destination]) => destination === '00000000')?.[2];
    if (gateway?.length !== 8) return null;
    return [6, 4, 2, 0].map((at) => Number.parseInt(gateway.slice(at, at + 2), 16)).join('.');
  } catch {
    return null;
  }
}
