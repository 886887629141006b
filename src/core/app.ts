import type { Run } from '../contract/chat';
import type { NoteEvent } from '../contract/notes';
import type { CallOutcome } from '../contract/tools';
import type { VersionAnswer } from '../contract/versions';
import { type Agents, createAgents, createPrompts, createTarsImport, type Prompts } from './agents';
import { openAppData } from './app-data';
import { createAppNotes } from './app-notes';
import { createNoteAuthority, type NoteAuthority } from './authority';
import { type Chat, createChat, createNoteConsents, createRetryLater, type RetryLater } from './chat';
import { externalAddress } from './external-address';
import { createLifetime, createOneAtATime, type DataFolder } from './foundation';
import { createHealth, type Health } from './health';
import { createHooks, type Hooks } from './hooks';
import type { Host } from './host';
import { createMcp, isUp, loginShellPath, type Mcp } from './mcp';
import type { Notes } from './notes';
import { createNotices, type Notices, noticeServersGivenUp, taskNotice } from './notices';
import { createProjects, type Projects } from './projects';
import { createProviders, createUsageLog, type Providers, type UsageLog } from './providers';
import type { Recovery } from './recovery';
import { lendModel } from './sampling';
import type { SettingsStore } from './settings';
import { createTools, runAlone, type Tools } from './tools';
import type { BroughtThing } from './trust';
import { onRenamed, openVaultOf, type Vault, vaultKey } from './vault';
import { copySampleVault, createVaultVisits, type VaultVisits } from './vaults';
import type { Versions } from './versions';
import { createViews, type Views } from './views';
import { createWindows, type Windows } from './windows';

/** The application without a face. */
export interface App extends VaultVisits {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly vault: Vault;
  readonly notes: Notes;
  readonly mcp: Mcp;
  readonly tools: Tools;
  readonly views: Views;
  readonly providers: Providers;
  readonly usage: UsageLog;
  readonly agents: Agents;
  readonly prompts: Prompts;
  readonly tars: ReturnType<typeof createTarsImport>;
  readonly chat: Chat;
  readonly authority: NoteAuthority;
  readonly retryLater: RetryLater;
  readonly hooks: Hooks;
  readonly health: Health;
  readonly projects: Projects;
  readonly notices: Notices;
  readonly versions: Versions;
  readonly recovery: Recovery;
  readonly windows: Windows;
  readonly dataFolder: DataFolder;
  /** Throws `request.invalid` for anything but http, https and mailto. */
  openExternal(url: string): Promise<void>;
  /** Follows a note, after calls that an earlier start of the app left running have been marked. */
  followNote(...what: Parameters<Notes['follow']>): AsyncIterable<NoteEvent>;
  callToolByHand(
    input: {
      serverId: string;
      tool: string;
      arguments: Record<string, unknown>;
      path: string | null;
      pressed?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<CallOutcome>;
  /** Stops runs, saves every note, ends every server. */
  close(): Promise<void>;
}

/**
 * Builds every part by hand, in the order in which they know each other; closes them in reverse. Long, since it is one list of
 * what each part is given.
 */
export async function createApp(host: Host): Promise<App> {
  const { clock, log } = host;
  const life = createLifetime();
  const notices = createNotices(clock.now);
  const data = openAppData(host, notices, life);
  const { settings, trust, database } = data;
  const { vault, identity, versions, notes, recovery } = createAppNotes({
    ...{ host, data, notices, life },
    runs: () => chat.runs,
    pathOfEntity: (text) => projects.pathOf(text),
  });
  const isAgreed = (thing: BroughtThing) => trust.pinsOf(vault.root())?.isAgreed(thing) ?? false;
  const mcp = createMcp({
    host,
    log: log.named('mcp'),
    node: host.vaultServer,
    loginPath: loginShellPath,
    lend: lendModel(() => providers),
    watching: settings.current,
    folders: vault.folders,
  });
  life.add(mcp.close);
  life.add(noticeServersGivenUp(mcp, notices));
  const providers = createProviders({
    settings,
    secrets: host.secrets,
    environment: host.environment,
    log: log.named('providers'),
    clock,
    database,
  });
  const usage = createUsageLog({ database, clock });
  life.add(onRenamed(vault, usage.renamed));
  const agents = createAgents({ vault, clock, isAgreed, settings, log: log.named('agents') });
  life.add(agents.close);
  const prompts = createPrompts({ vault, clock, log: log.named('prompts') });
  life.add(prompts.close);
  const tars = createTarsImport({ vault, providers, settings });
  const tools = createTools({
    identity,
    mcp,
    settings,
    database,
    clock,
    log: log.named('tools'),
    async beforeCall(call, signal) {
      await hooks.calling(call, signal);
      const { callId, server, name: tool, arguments: args, readOnly } = call;
      const answer = answerOf(chat.runs.get().find(({ runId }) => runId === call.runId));
      await versions.callBegins({ callId, server, tool, arguments: args, readOnly, answer });
    },
    vault: () => openVaultOf(vault),
  });
  life.add(tools.close);
  life.add(tools.onCall(({ callId }) => void versions.callEnds(callId)));
  const views = createViews({ mcp, tools, log: log.named('views') });
  life.add(views.close);
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
    beforeAnswer: (path, signal, onHook) => hooks.answering(path, signal, onHook),
    afterAnswer: (path, phase) => hooks.answered(path, phase),
    serversSettled: mcp.settled,
    instructions: mcp.instructions,
    onTaskEnded: (ended) => notices.add(taskNotice(ended)),
    onNotRunAgain: (call) => notices.add({ code: 'not-run-again', ...call }),
    isAgreed: authority.isAgreed,
    onPower: authority.asked,
    lenders: {
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
  const hooks: Hooks = createHooks({
    vault,
    notes,
    chat,
    tools,
    prompts,
    settings,
    database,
    clock,
    log: log.named('hooks'),
    pins: () => trust.madeIn(vault.root()),
    onProblem: notices.add,
  });
  life.add(hooks.close);
  const health = createHealth({
    metrics: mcp.metrics,
    runs: chat.runs,
    history: tools.history,
    onCall: tools.onCall,
    clock,
  });
  life.add(health.close);
  const projects = createProjects({
    vault,
    clock,
    log: log.named('projects'),
    saveNote: async (path) => notes.opened(path)?.save(),
    onWordsKept: notices.add,
    whileWriting: (work) => versions.whileWriting({ kind: 'you' }, work),
  });
  life.add(projects.close);

  const visits = createVaultVisits({
    vault,
    notes,
    mcp,
    chat,
    retryLater,
    settings,
    trust,
    database,
    notices,
    clock,
    copySample: () => copySampleVault(host.resourcesFolder, host.documentsFolder),
    inOrder: createOneAtATime(),
  });

  return {
    host,
    settings,
    vault,
    notes,
    mcp,
    tools,
    views,
    providers,
    usage,
    agents,
    prompts,
    tars,
    chat,
    authority,
    retryLater,
    hooks,
    health,
    projects,
    notices,
    versions,
    recovery,
    dataFolder: data.folder,
    windows: createWindows({ database, clock }),
    ...visits,
    openExternal: async (url) => host.openExternal(externalAddress(url)),
    async *followNote(path, seen, signal) {
      await notes.entered();
      await chat.recover(path, seen);
      if (seen === null) hooks.opened(path);
      yield* notes.follow(path, seen, signal);
    },
    callToolByHand: ({ pressed = false, ...call }, signal) =>
      runAlone(tools, { ...call, pressed, by: 'person' }, signal),
    close: life.close,
  };
}

/** What versions are told of an answer; null: the call is none of an answer's. */
function answerOf(run: Run | undefined): VersionAnswer | null {
  if (run?.kind !== 'answer') return null;
  const { runId, path: note, model, provider, startedAt } = run;
  return { runId, note, model: model || provider, startedAt };
}
