import type { Run } from '../contract/chat';
import type { NoteEvent } from '../contract/notes';
import type { CallOutcome } from '../contract/tools';
import type { VersionAnswer } from '../contract/versions';
import { type AppAgents, createAppAgents } from './app-agents';
import { type AppChat, createAppChat } from './app-chat';
import { openAppData } from './app-data';
import { type AppNotes, createAppNotes } from './app-notes';
import {
  createGuard,
  createLifetime,
  createOneAtATime,
  createSchemaChecks,
  type DataFolder,
} from './foundation';
import { createHealth, type Health } from './health';
import { createHooks, type Hooks } from './hooks';
import type { Host } from './host';
import { createMcp, loginShellPath, type Mcp } from './mcp';
import { externalAddress } from './network';
import type { Notes } from './notes';
import { createNotices, type Notices, noticeServersGivenUp } from './notices';
import { createProjects, type Projects } from './projects';
import { createModelSelector } from './sampling';
import type { SettingsStore } from './settings';
import { createTools, runAlone, type Tools } from './tools';
import { openVaultOf } from './vault';
import { copySampleVault, createVaultVisits, type VaultVisits } from './vaults';
import { createViews, type Views } from './views';
import { createWindows, type Windows } from './windows';

/** The application without a face. */
export interface App extends VaultVisits, Omit<AppNotes, 'identity'>, AppAgents, AppChat {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly mcp: Mcp;
  readonly tools: Tools;
  readonly views: Views;
  readonly hooks: Hooks;
  readonly health: Health;
  readonly projects: Projects;
  readonly notices: Notices;
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
      seen?: string | undefined;
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
  const ofNotes = createAppNotes({
    ...{ host, data, notices, life },
    runs: () => chat.runs,
    parse: (text) => chat.parse(text),
    pathOfEntity: (text) => projects.pathOf(text),
  });
  const { vault, identity, versions, notes } = ofNotes;
  const node = host.vaultServer;
  const guard = createGuard({ node, log: log.named('guard') });
  life.add(guard.close);
  const schemas = createSchemaChecks({ node, guard, program: host.schemaProgram, log: log.named('schemas') });
  life.add(schemas.close);
  const mcp = createMcp({
    host,
    log: log.named('mcp'),
    ...{ node, guard, schemas },
    loginPath: loginShellPath,
    selectModel: createModelSelector(() => providers),
    watching: settings.current,
    folders: vault.folders,
  });
  life.add(mcp.close);
  life.add(noticeServersGivenUp(mcp, notices));
  const answerers = createAppAgents({ host, data, life, vault });
  const { providers, prompts } = answerers;
  const tools = createTools({
    identity,
    mcp,
    settings,
    database,
    clock,
    log: log.named('tools'),
    schemas,
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
  const views = createViews({ mcp, tools, log: log.named('views'), reads: (path) => chat.reads(path) });
  life.add(views.close);
  const { chat, authority, retryLater } = createAppChat({
    ...{ host, data, life, notices, mcp, tools, views },
    app: { ...ofNotes, ...answerers },
    hooks: () => hooks,
  });
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
    ...{ host, settings, notices, mcp, tools, views, chat, authority, retryLater, hooks, health, projects },
    ...ofNotes,
    ...answerers,
    dataFolder: data.folder,
    windows: createWindows({ database, clock }),
    ...visits,
    openExternal: async (url) => host.openExternal(externalAddress(url)),
    async *followNote(path, seen, signal) {
      await notes.entered();
      await chat.markInterrupted(path, seen);
      if (seen === null) hooks.opened(path);
      yield* notes.follow(path, seen, signal);
    },
    callToolByHand: ({ seen, ...call }, signal) =>
      runAlone(tools, { ...call, ...(seen !== undefined && { pressed: seen }), by: 'person' }, signal),
    close: life.close,
  };
}

/** What versions are told of an answer; null: the call is none of an answer's. */
function answerOf(run: Run | undefined): VersionAnswer | null {
  if (run?.kind !== 'answer') return null;
  const { runId, path: note, model, provider, startedAt } = run;
  return { runId, note, model: model || provider, startedAt };
}
