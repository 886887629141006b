import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../../src/contract/json';
import { createLog } from '../../../src/core/foundation';
import { createNotes, type NoteSession } from '../../../src/core/notes';
import { createVault } from '../../../src/core/vault';
import { createModelClock } from './clock';
import { type AppProcess, inProcess } from './disk';

/** Answers a whole number below the one it is given. */
export type Random = (below: number) => number;

interface Held {
  readonly session: NoteSession;
  readonly release: () => void;
}

const names = ['A.md', 'B.md', 'C.md', 'folder/D.md', 'folder/E.md'];
const errors = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'EBUSY'];

/**
 * One vault, the real core over it, everybody who changes it, and a record of every word that was acknowledged: that record is the
 * model, and all that is trusted.
 */
export async function createWorld(folder: string, random: Random, { failing }: { failing: boolean }) {
  const root = join(folder, 'vault');
  const trash = join(folder, 'trash');
  mkdirSync(join(root, 'folder'), { recursive: true });
  mkdirSync(trash);
  for (const name of names.slice(0, 3)) writeFileSync(join(root, name), 'first line\nsecond line\n');
  writeFileSync(join(root, 'stays.md'), 'A vault is never without a note.\n');

  /** What somebody wrote and was told is there; taken out where somebody took it away. */
  const words = new Set<string>();
  /** Taken away by a person, and told so; from which note. */
  const removed = new Map<string, { readonly path: string }>();
  /** In a note that another program removed, or moved and changed in one moment, and that a person had written again. */
  const again = new Set<string>();
  const steps: string[] = [];
  let written = 0;
  let runs = 0;
  let faulty = true;
  let areJournalsKept = true;
  let app = await start(join(folder, 'data-0'));

  async function start(data: string) {
    const process: AppProcess = {
      dead: false,
      underway: 0,
      atDisk: 0,
      delay: () => (faulty && random(4) === 0 ? random(6) : 0),
      fails(call) {
        if (!faulty || !failing || call === 'handle.close' || random(60) > 0) return null;
        return errors[random(errors.length)] ?? 'EIO';
      },
    };
    const clock = createModelClock(process, 1_700_000_000_000 + runs * 1_000_000);
    runs++;
    areJournalsKept = true;
    return inProcess(process, async () => {
      const log = createLog(({ event, facts }) => {
        // That a word was taken out stands in the text that was kept, not in the note that another program made of it.
        if (event === 'text kept apart from its note') forget(({ path }) => path === facts.note);
        // Its note went on without it: what was taken away there since may be in what is recovered later.
        else if (event === 'journal not recovered') removed.clear();
        else return;
        said(`${event} ${facts.note ?? ''} ${facts.reason ?? ''}`);
      });
      const vault = createVault({
        log,
        clock,
        trust: { isTrusted: () => true },
        moveToTrash: (path) => rename(path, join(trash, `${readdirSync(trash).length} ${random(1e9)}.md`)),
      });
      const notes = createNotes({
        vault,
        dataFolder: data,
        log,
        clock,
        whereNow: async (_text, file) => (file === null ? null : vault.whereIs(file)),
        onTrouble: ({ kind }) => {
          if (kind === 'no-journals') areJournalsKept = false;
        },
        onJournals: () => {
          areJournalsKept = true;
        },
      });
      for (;;) {
        try {
          await clock.until(vault.open(root));
          break;
        } catch {
          // Asked again, as a person would.
        }
      }
      await clock.until(notes.recover());
      return { process, clock, vault, notes, data, held: new Map<string, Held>() };
    });
  }

  function forget(isMeant: (from: { readonly path: string }) => boolean): void {
    for (const [mark, from] of removed) if (isMeant(from)) removed.delete(mark);
  }

  const said = (step: string) => void steps.push(`${app.clock.now() % 1_000_000} ${step}`);
  const asApp = <T>(work: () => T): T => inProcess(app.process, work);
  const word = (who: string) => `‹${who}${written++}›`;
  const files = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /^[^.].*\.md$/.test(path) && path !== 'stays.md',
    );
  const anyOf = <T>(all: readonly T[]): T | undefined => all[random(Math.max(1, all.length))];

  async function hold(name: string): Promise<Held | null> {
    const before = app.held.get(name);
    if (before) return before;
    const { notes, clock, held } = app;
    try {
      const taken = await asApp(() => clock.until(notes.hold(name)));
      held.set(name, taken);
      return taken;
    } catch {
      return null;
    }
  }

  /** Where a word may stand: between words, never in one. */
  function place(text: string): number {
    const at = random(text.length + 1);
    const open = text.lastIndexOf('‹', at - 1);
    return open !== -1 && text.indexOf('›', open) >= at ? open : at;
  }

  async function type(who: string): Promise<void> {
    const name = anyOf(names) ?? 'A.md';
    const note = await hold(name);
    if (!note) return;
    const { session } = note;
    const text = word(who);
    const at = place(session.text());
    const end = session.text().length;
    try {
      if (who === 'typed') await pushed(session, [...skipped(at), [0, text], ...skipped(end - at)]);
      else asApp(() => session.edit('run-1', { from: at, insert: text }));
    } catch {
      // Nothing was acknowledged: its note is gone, or neither the note nor a journal could be written.
      letGo(name);
      said(`${text} into ${session.path} refused`);
      return;
    }
    // What an answer brings while there is no journal is said to be in memory only.
    if (who === 'typed' || areJournalsKept) words.add(text);
    said(`${text} into ${session.path}`);
  }

  const skipped = (length: number) => (length > 0 ? [length] : []);

  /** As a window does it; rejects where it is not acknowledged. */
  const pushed = (session: NoteSession, changes: Json) =>
    asApp(() =>
      app.clock.until(
        app.notes.push(session.path, session.sessionId, session.version, [{ clientId: 'window-a', changes }]),
      ),
    );

  async function takeAway(): Promise<void> {
    const note = anyOf([...app.held.values()]);
    const text = note?.session.text() ?? '';
    const mark = anyOf(text.match(/‹typed\d+›/g) ?? []);
    if (!note || mark === undefined) return;
    const from = text.indexOf(mark);
    const after = text.length - from - mark.length;
    words.delete(mark);
    try {
      await pushed(note.session, [...skipped(from), [mark.length], ...skipped(after)]);
    } catch {
      return said(`${mark} taken out of ${note.session.path} refused`);
    }
    removed.set(mark, note.session);
    said(`${mark} taken out of ${note.session.path}`);
  }

  /** Another program, in one step. */
  function editByOthers(): void {
    const path = anyOf(files());
    if (path === undefined) return;
    const mark = word('disk');
    const place = join(root, path);
    const lines = readFileSync(place, 'utf8').split('\n');
    const line = random(lines.length);
    lines[line] = `${lines[line]} ${mark}`;
    if (random(8) === 0) appendFileSync(place, `${mark}\n`);
    else {
      writeFileSync(`${place}.part`, lines.join('\n'));
      renameSync(`${place}.part`, place);
    }
    words.add(mark);
    said(`${mark} by others into ${path}`);
  }

  function renameByOthers(): void {
    const [from, to] = [anyOf(files()), anyOf(names)];
    if (from === undefined || to === undefined || existsSync(join(root, to))) return;
    renameSync(join(root, from), join(root, to));
    said(`${from} renamed to ${to} by others`);
  }

  /** What is on disk then is theirs to remove; what is not yet is not. */
  function removeByOthers(): void {
    const path = anyOf(files());
    if (path === undefined) return;
    for (const mark of readFileSync(join(root, path), 'utf8').match(/‹\w+›/g) ?? []) words.delete(mark);
    unlinkSync(join(root, path));
    said(`${path} removed by others`);
  }

  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await asApp(() => app.clock.until(work()));
      said(what);
    } catch (error) {
      said(`${what} failed: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** One that another note has taken the name of is asked nothing any more: by that name the other would be meant. */
  const lives = ({ session }: Held) => app.notes.opened(session.path) === session;

  /** As a person may who is told that the note was deleted. */
  async function writeAgain(): Promise<void> {
    const isToldSo = ({ session }: Held) => session.saveState().kind === 'deleted';
    const note = [...app.held.values()].find((held) => isToldSo(held) && lives(held));
    if (!note) return;
    for (const mark of note.session.text().match(/‹\w+›/g) ?? []) again.add(mark);
    for (const [mark, from] of removed) if (from === note.session) again.add(mark);
    await attempt(`${note.session.path} written again`, () => app.notes.save(note.session.path));
  }

  function letGo(name: string): void {
    asApp(() => app.held.get(name)?.release());
    app.held.delete(name);
  }

  /** All that its process had not finished is as it happens to be; a new one finds the disk as it is. */
  async function kill(): Promise<void> {
    app.process.dead = true;
    while (app.process.atDisk > 0) await new Promise(setImmediate);
    const data = join(folder, `data-${runs}`);
    cpSync(app.data, data, { recursive: true });
    said('killed');
    const before = app.data;
    app = await start(data);
    rmSync(before, { recursive: true, force: true });
  }

  const operations: readonly (readonly [weight: number, work: () => void | Promise<void>])[] = [
    [30, () => type('typed')],
    [12, () => type('run')],
    [6, takeAway],
    [8, editByOthers],
    [1, renameByOthers],
    [1, removeByOthers],
    [12, () => app.clock.pass(random(900))],
    [2, () => app.clock.pass(70_000)],
    [
      3,
      async () => {
        const [from, to] = [anyOf(files()), anyOf(names)];
        if (from !== undefined && to !== undefined && from !== to)
          await attempt(`${from} renamed to ${to}`, () => app.vault.rename(from, to));
      },
    ],
    [
      2,
      async () => {
        const path = anyOf(files());
        if (path !== undefined) await attempt(`${path} to the trash`, () => app.vault.trash(path));
      },
    ],
    [3, () => attempt('created', () => app.vault.create(anyOf(names) ?? 'A.md', ''))],
    [6, () => letGo(anyOf(names) ?? 'A.md')],
    [2, () => attempt('swept', () => app.vault.sweep())],
    [1, writeAgain],
    [
      1,
      async () => {
        for (const name of [...app.held.keys()]) letGo(name);
        await attempt('vault left and opened', () => app.notes.leaveVault(() => app.vault.open(root)));
        if (app.vault.state.get().kind !== 'open') await attempt('opened again', () => app.vault.open(root));
        await attempt('recovered', () => app.notes.recover());
      },
    ],
    [1, kill],
  ];
  const total = operations.reduce((sum, [weight]) => sum + weight, 0);

  async function step(): Promise<void> {
    let at = random(total);
    for (const [weight, work] of operations) {
      if (at < weight) return work();
      at -= weight;
    }
  }

  /** Nothing fails any more and everything is saved, as far as it can be. */
  async function rest(): Promise<void> {
    faulty = false;
    const { clock, notes, vault } = app;
    for (let round = 0; round < 4; round++) {
      await asApp(() => clock.until(vault.sweep()));
      await asApp(() => clock.pass(40_000));
      for (const [name, held] of [...app.held]) {
        const { session } = held;
        const { kind } = session.saveState();
        if (kind === 'deleted' || !lives(held)) letGo(name);
        else if (kind !== 'saved')
          await asApp(() => clock.until(notes.save(session.path))).catch(() => letGo(name));
      }
    }
    for (const name of [...app.held.keys()]) letGo(name);
    await asApp(() => clock.pass(130_000));
    await asApp(() => clock.until(notes.leaveVault(() => vault.open(root))));
    await asApp(() => clock.until(notes.recover()));
    await asApp(() => clock.pass(130_000));
    faulty = true;
  }

  /** What is wrong, by word; empty: nothing. */
  function faults(): string[] {
    const vault = new Map(files().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
    const all = (place: string) =>
      existsSync(place)
        ? readdirSync(place, { recursive: true, encoding: 'utf8' })
            .filter((path) => path.endsWith('.md'))
            .map((path) => readFileSync(join(place, path), 'utf8'))
        : [];
    const beside = [...all(trash), ...all(join(app.data, 'kept'))].join('\n');
    const found: string[] = [];
    const text = [...vault.values()].join('\n');
    const own = text.replaceAll(/^>.*$/gm, '');
    for (const mark of words) {
      if (!text.includes(mark) && !beside.includes(mark)) found.push(`${mark} is lost`);
      if (own.split(mark).length > 2 && !again.has(mark)) {
        const paths = [...vault].filter(([, one]) => one.includes(mark)).map(([path]) => path);
        found.push(`${mark} is there twice: ${paths.join(', ')}`);
      }
    }
    for (const mark of removed.keys())
      if (own.includes(mark) && !again.has(mark)) found.push(`${mark} is back`);
    return found;
  }

  /** Words that stand nowhere at all, journals included. */
  function nowhere(): string[] {
    const everything = (place: string): string[] =>
      existsSync(place)
        ? readdirSync(place, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
        : [];
    const all = [
      ...[root, trash, app.data].flatMap(everything),
      ...[...app.held.values()].map(({ session }) => session.text()),
    ].join('\n');
    return [...words].filter((mark) => !all.includes(mark));
  }

  return {
    step,
    nowhere,
    words,
    rest,
    faults,
    steps,
    /** Words that were acknowledged so far. */
    get written() {
      return written;
    },
    async close() {
      faulty = false;
      const { clock, notes, vault } = app;
      await asApp(() => clock.until(notes.close()));
      await vault.close();
    },
  };
}
