import type { Target } from './format';

/**
 * Azure has two addresses: `…/openai/v1`, where the model is named in the body, and the classic one with the deployment in
 * the path and an `api-version`. Whatever of them a person pasted, down to a whole request address, is understood.
 */
export function azureAddress(
  target: Pick<Target, 'baseUrl' | 'apiVersion' | 'model'>,
  path: 'chat' | 'responses' | 'models',
): { baseUrl: string; query: Record<string, string> | undefined } {
  const url = new URL(target.baseUrl);
  const version = target.apiVersion ?? url.searchParams.get('api-version');
  const wholePath = url.pathname
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/(chat\/completions|responses|models)$/, '');
  const root = `${url.origin}${wholePath.replace(/\/openai(\/.*)?$/, '')}`;
  if (version === null || version === 'v1' || /\/openai\/v1$/.test(wholePath)) {
    return { baseUrl: `${root}/openai/v1`, query: undefined };
  }
  const deployment = /\/deployments\/([^/]+)/.exec(wholePath)?.[1] ?? encodeURIComponent(target.model);
  return {
    baseUrl: path === 'chat' ? `${root}/openai/deployments/${deployment}` : `${root}/openai`,
    query: { 'api-version': version },
  };
}
