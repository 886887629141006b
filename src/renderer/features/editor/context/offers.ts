import type { Prompt } from '../../../../contract/agents';
import { isAppError } from '../../../../contract/errors';
import type { PromptEntry, ServerEntry } from '../../../../contract/mcp';
import type { Core } from '../../../base/core/core';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';

/** A prompt that can be put into a note: one of the vault's templates, or one that a server has prepared. */
export type OfferedPrompt =
  | { readonly kind: 'template'; readonly prompt: Prompt }
  | { readonly kind: 'server'; readonly server: OfferServer; readonly prompt: PromptEntry };

/** A resource of a server; of a pattern only the variables are not known yet. */
export interface OfferedResource {
  readonly server: OfferServer;
  readonly address: { readonly kind: 'uri' | 'template'; readonly text: string };
  readonly title: string;
  readonly description: string;
  readonly mediaType: string | null;
}

/** A server that is up and may have something to offer. */
export type OfferServer = Pick<ServerEntry, 'id' | 'name' | 'level' | 'prompts' | 'resources'> & {
  readonly since: number;
};

/** "None" and "could not be asked" are different things. */
export interface Offered<T> {
  readonly items: readonly T[];
  readonly silent: readonly { readonly server: string; readonly reason: string }[];
}

export interface Offers {
  prompts(
    templates: readonly Prompt[],
    offerServers: readonly OfferServer[],
  ): Promise<Offered<OfferedPrompt>>;
  resources(offerServers: readonly OfferServer[]): Promise<Offered<OfferedResource>>;
}

type Answer<T> = { readonly items: readonly T[] } | { readonly reason: string };

/** Whoever types does not wait longer for one server; its answer is there for the next key. */
const timeoutMs = 2_500;
const remembered = 20_000;

export function createOffers(core: Core): Offers {
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<Answer<unknown>> }>();

  async function ask<T>(what: string, server: OfferServer, list: () => Promise<readonly T[]>) {
    const key = `${what} ${server.id} ${server.since} ${server.prompts} ${server.resources}`;
    const entry = answers.get(key);
    if (entry && Date.now() - entry.at < remembered) return entry.answer as Promise<Answer<T>>;
    if (answers.size > 200) answers.clear();
    const answer = list().then(
      (items): Answer<T> => ({ items }),
      (error: unknown): Answer<T> => {
        answers.delete(key);
        return { reason: isAppError(error) ? failureText(error) : t('note.failed') };
      },
    );
    answers.set(key, { at: Date.now(), answer });
    return answer;
  }

  async function askAll<T>(
    what: 'prompts' | 'resources',
    offerServers: readonly OfferServer[],
    list: (server: OfferServer) => Promise<readonly T[]>,
  ): Promise<Offered<T>> {
    // Null: it was not asked yet, which is not the same as none.
    const likely = offerServers.filter((server) => server[what] !== 0 || what === 'resources');
    const replies = await Promise.all(
      likely.map((server) =>
        inTime(
          ask(what, server, () => list(server)),
          { reason: t('menu.noAnswer') },
        ),
      ),
    );
    return {
      items: replies.flatMap((answer) => ('items' in answer ? answer.items : [])),
      silent: replies.flatMap((answer, at) =>
        'items' in answer ? [] : [{ server: likely[at]?.name ?? '', reason: answer.reason }],
      ),
    };
  }

  return {
    async prompts(templates, offerServers) {
      const { items, silent } = await askAll('prompts', offerServers, async (server) => {
        const prompts = await core.call('mcp.prompts', { serverId: server.id });
        return prompts.map((prompt): OfferedPrompt => ({ kind: 'server', server, prompt }));
      });
      const own = templates.map((prompt): OfferedPrompt => ({ kind: 'template', prompt }));
      return { items: [...own, ...items], silent };
    },
    // The resources of the server that comes with the app are the vault's own notes.
    resources: (offerServers) =>
      askAll(
        'resources',
        offerServers.filter(({ level }) => level !== 'bundled'),
        async (server) => {
          const { resources, templates } = await core.call('mcp.resources', { serverId: server.id });
          return [
            ...resources.map(
              ({ uri, ...rest }): OfferedResource => ({
                server,
                address: { kind: 'uri', text: uri },
                ...rest,
              }),
            ),
            ...templates.map(
              ({ uriTemplate, ...rest }): OfferedResource => ({
                server,
                address: { kind: 'template', text: uriTemplate },
                ...rest,
              }),
            ),
          ];
        },
      ),
  };
}

async function inTime<T>(work: Promise<T>, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs);
  });
  try {
    return await Promise.race([work, waited]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a person types to find it: `Sum up`, `memory:review`. */
export function promptLabel(offered: OfferedPrompt): string {
  return offered.kind === 'template' ? offered.prompt.name : `${offered.server.name}:${offered.prompt.name}`;
}
