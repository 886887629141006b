import { useMemo, useState } from 'react';
import type { Prompt } from '../../../../contract/agents';
import type { NoteRun, Run, RunCall, ToolLine, WaitingRetry } from '../../../../contract/chat';
import type { ServerEntry } from '../../../../contract/mcp';
import { givenTags } from '../../../../contract/providers';
import { serverCondition } from '../../../../contract/server-state';
import type { ToolEntry } from '../../../../contract/tools';
import type { AnswerTimes } from '../../../../contract/versions';
import type { TagNames } from '../../../../markdown';
import { useAsk, useCoreState } from '../../../base/core/core';
import { linkTargets, useVaultEntries } from '../../../base/layout/vault-entries';
import { useRested } from '../../../base/parts/use-rested';
import type { OffServer } from '../../editor/context/note-context';
import type { OfferServer } from '../../editor/context/offers';
import { useOpenNote } from '../../editor/context/open-notes';
import { leadsIn } from '../../editor/context/resolve-note';

const everything = {};
const noTools: readonly ToolEntry[] = [];
const noTemplates: readonly Prompt[] = [];

export interface NoteKnowledge {
  readonly tags: TagNames;
  readonly servers: readonly string[];
  readonly offServers: readonly OffServer[];
  readonly tools: readonly ToolEntry[];
  readonly templates: readonly Prompt[];
  readonly offerServers: readonly OfferServer[];
}

/** What the states of the app say that a note's text is read with; the same object until it changes. */
export function useNoteKnowledge(): NoteKnowledge {
  const vendors = useAsk('providers.vendors', everything, { staleTime: Number.POSITIVE_INFINITY });
  const settings = useCoreState('settings.current', everything);
  const providers = useCoreState('providers.list', everything);
  const agents = useCoreState('agents.list', everything);
  const mcp = useCoreState('mcp.servers', everything);
  const tools = useCoreState('tools.catalog', everything) ?? noTools;
  const spoken = JSON.stringify([
    settings?.tags.newChat ?? ['NewChat', '新对话'],
    settings?.tags.user ?? ['User', '我'],
    settings?.tags.system ?? ['System', '系统'],
    [
      ...(providers ?? []).flatMap(({ tag, tagTaken }) => (tagTaken ? [] : [tag])),
      ...(agents ?? []).flatMap(({ tag }) => tag ?? []),
    ],
    settings?.formerTags ?? [],
    givenTags(vendors.data ?? []),
  ]);
  const serverNames = JSON.stringify(mcp?.servers.flatMap(({ id, name }) => [name, id]) ?? []);
  const tags = useMemo(() => {
    const [newChat = [], user = [], system = [], assistant = [], former = [], given = []] = JSON.parse(
      spoken,
    ) as string[][];
    return { newChat, user, system, assistant, former, given };
  }, [spoken]);
  const servers = useMemo(() => JSON.parse(serverNames) as string[], [serverNames]);
  const templates = useCoreState('agents.prompts', everything) ?? noTemplates;
  const up = JSON.stringify(mcp?.servers.flatMap(offerServerOf) ?? []);
  const offerServers = useMemo(() => JSON.parse(up) as OfferServer[], [up]);
  const off = JSON.stringify(mcp?.servers.flatMap(offServerOf) ?? []);
  const offServers = useMemo(() => JSON.parse(off) as OffServer[], [off]);
  return useMemo(
    () => ({ tags, servers, offServers, tools, templates, offerServers }),
    [tags, servers, offServers, tools, templates, offerServers],
  );
}

function offServerOf({ id, name, state }: ServerEntry): OffServer[] {
  const condition = serverCondition(state);
  return condition === 'off' || condition === 'given-up' ? [{ id, name, condition }] : [];
}

function offerServerOf({ id, name, level, prompts, resources, state }: ServerEntry): OfferServer[] {
  const isUp = state.kind === 'ready' || state.kind === 'degraded';
  return isUp ? [{ id, name, level, prompts, resources, since: state.since }] : [];
}

/** The note's live run, else its last one. */
export function useRunOf(path: string): NoteRun | null {
  const runs = useCoreState('chat.runs', everything) ?? [];
  const own = runs.filter((run) => run.kind !== 'call').filter((run) => run.path === path);
  return (
    own.find((run) => run.finishedAt === null) ?? own.toSorted((a, b) => b.startedAt - a.startedAt)[0] ?? null
  );
}

/** Calls in the note that no answer made. */
export function useLoneCalls(path: string): RunCall[] {
  const runs = useCoreState('chat.runs', everything) ?? noRuns;
  return useMemo(
    () => runs.flatMap((run) => (run.path === path && run.kind === 'call' ? [run.call] : [])),
    [runs, path],
  );
}

/** The times of the failures in the note that are tried again by themselves. */
export function useWaiting(path: string): readonly number[] {
  const all = useCoreState('chat.waiting', everything) ?? noneWaiting;
  return useMemo(() => all.flatMap((one) => (one.path === path ? [one.retryAt] : [])), [all, path]);
}

/** The answers in the note before which notes can be restored. */
export const useRestorable = (path: string): readonly AnswerTimes[] =>
  useCoreState(
    'versions.restorable',
    useMemo(() => ({ path }), [path]),
  ) ?? noAnswers;

/** What of the note tools wrote; what was last known while it is read once more. */
export function useToolLines(path: string): readonly ToolLine[] {
  const touched = useTouched(path);
  const lines = useCoreState(
    'chat.toolLines',
    useMemo(() => ({ path, touched }), [path, touched]),
  );
  const [last, setLast] = useState(noLines);
  if (lines !== undefined && lines !== last && (lines.length > 0 || last.length > 0)) setLast(lines);
  return last;
}

/** Counts up when the person, or whoever answers, has paused: reading the whole note waits for that. */
export const useTouched = (path: string) => useRested(useOpenNote(path).touched, 500);

/** Whether a link of the note leads to something that is there; as long as nobody knows, it does. */
export function useLeads(path: string): (target: string) => boolean {
  const entries = useVaultEntries((vault) => vault.entries);
  return useMemo(() => (entries ? leadsIn(linkTargets, path) : () => true), [entries, path]);
}

const noAnswers: readonly AnswerTimes[] = [];
const noLines: readonly ToolLine[] = [];
const noneWaiting: readonly WaitingRetry[] = [];
const noRuns: readonly Run[] = [];
