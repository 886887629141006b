import type { ServerDraft } from '../../../contract/mcp';
import { isReference, maskedArgs, maskedText } from '../../foundation';

/**
 * These servers as an `mcpServers` file for another machine or program. It holds no secrets: a literal value of the
 * environment or a header becomes a variable, what looks like a secret elsewhere is masked.
 */
export function exportServers(drafts: readonly ServerDraft[]): string {
  const mcpServers = Object.fromEntries(drafts.map(({ name, ...draft }) => [name, withoutSecrets(draft)]));
  return `${JSON.stringify({ mcpServers }, null, 2)}\n`;
}

function withoutSecrets({
  command,
  args,
  env,
  url,
  headers,
  oauth,
  ...rest
}: Omit<ServerDraft, 'name'>): object {
  const { clientSecret: _secret, privateKey: _key, ...signIn } = oauth ?? {};
  return {
    ...(command !== undefined && { command: maskedText(command) }),
    ...rest,
    ...(args && { args: maskedArgs(args) }),
    ...(env && { env: asVariables(env) }),
    ...(url !== undefined && { url: maskedText(url) }),
    ...(headers && { headers: asVariables(headers) }),
    ...(oauth && { oauth: signIn }),
  };
}

function asVariables(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [
      name,
      isReference(text) ? text : `\${${name.toUpperCase().replace(/\W/g, '_')}}`,
    ]),
  );
}
