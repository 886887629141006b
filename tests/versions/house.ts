import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AnswerRun, Run } from '../../src/contract/chat';
import type { TimelineEntry } from '../../src/contract/versions';
import { createLog, createObservable, type FileTrouble, systemClock } from '../../src/core/foundation';
import { createNotes } from '../../src/core/notes';
import { createVault } from '../../src/core/vault';
import { createVersions, type ToolCallMade } from '../../src/core/versions';
import { createMemorySettings } from '../support/in-memory';

export const answer = { runId: 'run-1', note: 'Chat.md', model: 'model-1', startedAt: 1 };

/** What of the core keeps notes and their versions, over a real folder. */
export async function versionsHouse(
  files: Readonly<Record<string, string>> = {},
  options: Readonly<Record<string, unknown>> = {},
  longestWait?: number,
) {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  const root = join(folder, 'vault');
  const data = join(folder, 'data');
  for (const place of [root, data]) mkdirSync(place);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) await put(path, text);
  const log = createLog(() => undefined);
  const troubles: FileTrouble[] = [];
  const stands: { from: string; text: string }[] = [];
  const toolTexts: {
    path: string;
    server: string;
    tool: string;
    before: string | null;
    after: string | null;
  }[] = [];
  const runs = createObservable<Run[]>([]);
  const settings = createMemorySettings({ versions: { interval: 60_000, ...options } });

  let slow = Promise.resolve();
  async function start(dataFolder = data) {
    const vault = createVault({
      log,
      clock: systemClock,
      trust: { isTrusted: () => true },
      moveToTrash: unlink,
    });
    const versions = createVersions({
      vault: { ...vault, sweep: () => slow.then(vault.sweep) },
      notes: () => notes,
      runs: () => runs,
      settings: settings.current,
      dataFolder,
      clock: systemClock,
      log,
      onTrouble: (trouble) => troubles.push(trouble),
      onTroubleOver: () => undefined,
      onToolWrote: (path, { server, tool }, texts) => toolTexts.push({ path, server, tool, ...texts }),
      onStands: (from, text) => stands.push({ from, text }),
      ...(longestWait !== undefined && { longestWait }),
    });
    const notes = createNotes({
      vault,
      observer: versions.observer,
      dataFolder,
      log,
      clock: systemClock,
      whereNow: async (_text, file) => (file === null ? null : vault.whereIs(file)),
    });
    await vault.open(root);
    return { vault, notes, versions };
  }
  let dataNow = data;
  let parts = await start();
  let deaths = 0;

  async function close() {
    await parts.notes.close();
    await parts.versions.close();
    await parts.vault.close();
  }
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const house = {
    root,
    data,
    troubles,
    /** What was told to stand in its note again. */
    stands,
    /** What was told that tools made of notes. */
    toolTexts,
    settings,
    runs,
    put,
    read: (path: string) => readFile(join(root, path), 'utf8'),
    get vault() {
      return parts.vault;
    },
    get notes() {
      return parts.notes;
    },
    get versions() {
      return parts.versions;
    },
    async restart(meanwhile: () => Promise<unknown> = async () => undefined) {
      await close();
      await meanwhile();
      parts = await start(dataNow);
    },
    /** As after `kill -9`: what had been written by now is all that there is. */
    async killed(meanwhile: () => Promise<unknown> = async () => undefined) {
      const left = join(folder, `data-${++deaths}`);
      cpSync(dataNow, left, { recursive: true });
      dataNow = left;
      const died = parts;
      await died.vault.close();
      await meanwhile();
      parts = await start(left);
      await parts.notes.recover();
      await died.notes.close();
      await died.versions.close();
    },
    /** Until the answer is called nobody comes to the end of the folder. */
    slowed(): () => void {
      let over: () => void = () => undefined;
      slow = new Promise((resolve) => {
        over = resolve;
      });
      return over;
    },
    /** Every note is known as it stands. */
    known: () => parts.versions.keepAll(),
    entries: async (path: string) => (await parts.versions.timeline(path)).entries,
    /** Each version's text, oldest first. */
    async texts(path: string): Promise<string[]> {
      const entries = (await house.entries(path)).filter(({ kind }) => kind === 'text');
      return Promise.all(entries.toReversed().map(({ id }) => parts.versions.read(path, id)));
    },
    /** A person types at the end of the note. */
    async type(path: string, text: string, hand = 'window-1') {
      const { session, release } = await parts.notes.hold(path);
      session.edit(hand, { from: session.text().length, insert: text });
      await session.save();
      release();
    },
    /** Until the app has heard of what another program did. */
    async heard(isSo: () => Promise<boolean>) {
      await expect.poll(isSo, { timeout: 20_000 }).toBe(true);
    },
    begin: (callId: string, more: Partial<ToolCallMade> = {}) =>
      parts.versions.callBegins(made(callId, more)),
    /** A tool that an answer called does this. */
    async call(callId: string, work: () => Promise<unknown>, more: Partial<ToolCallMade> = {}) {
      await parts.versions.callBegins(made(callId, more));
      await work();
      await parts.versions.callEnds(callId);
    },
  };
  return house;
}

const made = (callId: string, more: Partial<ToolCallMade>): ToolCallMade => ({
  callId,
  server: 'files',
  tool: 'write',
  arguments: {},
  readOnly: false,
  answer,
  ...more,
});

/** Who made each, and how, oldest first. */
export const story = (entries: readonly TimelineEntry[]) =>
  entries.toReversed().map(({ kind, by, ...rest }) => {
    const who = by.map((one) => (one.kind === 'tool' ? `${one.tool}${one.certain ? '' : '?'}` : one.kind));
    return [who.join('+') || 'nobody', kind === 'text' ? (rest as { cause: string }).cause : kind].join(' ');
  });

export function answerRun(runId: string, path: string, finishedAt: number | null = null): AnswerRun {
  return {
    kind: 'answer',
    runId,
    path,
    provider: 'Provider',
    model: 'model-1',
    tag: 'Model',
    phase: finishedAt === null ? { kind: 'writing' } : { kind: 'finished', reason: 'stop' },
    round: 1,
    startedAt: 1,
    finishedAt,
    characters: 0,
    usage: null,
    cost: null,
    calls: [],
  };
}
