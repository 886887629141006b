import type { AppAgents } from './app-agents';
import type { AppData } from './app-data';
import type { AppNotes } from './app-notes';
import { createNoteAuthority, createNoteConsents, type NoteAuthority } from './authority';
import { type Chat, createChat, createRetryLater, type RetryLater } from './chat';
import type { Lifetime } from './foundation';
import type { Hooks } from './hooks';
import type { Host } from './host';
import { isUp, type Mcp } from './mcp';
import { type Notices, taskNotice } from './notices';
import type { Tools } from './tools';
import { vaultKey } from './vault';
import type { Views } from './views';

/** Conversations, and what the person agreed to in them. */
export interface AppChat {
  readonly chat: Chat;
  readonly authority: NoteAuthority;
  readonly retryLater: RetryLater;
}

/** One list of what each part is given. */
export function createAppChat({
  host,
  data,
  life,
  notices,
  mcp,
  tools,
  views,
  hooks,
  app: { vault, identity, writtenWords, notes, providers, usage, agents },
}: {
  readonly host: Host;
  readonly data: AppData;
  readonly life: Lifetime;
  readonly notices: Notices;
  readonly mcp: Mcp;
  readonly tools: Tools;
  readonly views: Views;
  readonly hooks: () => Hooks;
  readonly app: AppNotes & AppAgents;
}): AppChat {
  const { clock, log } = host;
  const { settings, database } = data;
  const consents = createNoteConsents(database);
  identity.onOver(consents.forgetAll);
  const authority = createNoteAuthority({ consents, identity, notes, agents, providers, notices });
  life.add(
    vault.onOwnChange((change) => {
      if (change.kind === 'written' && change.linksElsewhere > 0)
        notices.add({ code: 'hard-links', note: change.path, links: change.linksElsewhere });
      if (change.kind === 'renamed') authority.left(change.from);
      if (change.kind === 'created' || change.kind === 'trashed') authority.left(change.path);
    }),
  );
  const chat = createChat({
    notes,
    database,
    vault,
    providers,
    agents,
    tools,
    writtenWords,
    settings,
    clock,
    log: log.named('chat'),
    onAnswered(answered) {
      try {
        usage.add({ vault: vaultKey(vault), ...answered });
      } catch (error) {
        log.warn('usage not recorded', { error });
      }
    },
    beforeAnswer: (path, signal, onHook) => hooks().answering(path, signal, onHook),
    afterAnswer: (path, phase) => hooks().answered(path, phase),
    serversSettled: mcp.settled,
    instructions: mcp.instructions,
    onTaskEnded: (ended) => notices.add(taskNotice(ended)),
    onNotRunAgain: (call) => notices.add({ code: 'not-run-again', ...call }),
    isAgreed: authority.isAgreed,
    onPower: authority.onAnswerRequest,
    resourceServers: {
      server(nameOrId) {
        const server = mcp.find(nameOrId);
        return server ? { id: server.id, isReady: isUp(server.state) } : null;
      },
      read: mcp.readResource,
    },
    viewWords: views.words,
    serverNames: () => mcp.servers.get().servers.flatMap(({ id, name }) => [id, name]),
  });
  life.add(chat.close);
  const retryLater = createRetryLater({
    vault,
    notes,
    chat,
    database,
    clock,
    log: log.named('chat'),
    onGivenUp: notices.add,
  });
  life.add(retryLater.close);
  return { chat, authority, retryLater };
}
