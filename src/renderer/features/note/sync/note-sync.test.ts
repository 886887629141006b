import { ChangeSet, EditorState, Text, type TransactionSpec } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NoteUpdate, SeenState } from '../../../../contract/notes';
import { type OwnedChange, rebase } from '../../../../contract/rebase';
import { createNoteSync } from './note-sync';
import type { PushRequest } from './outbox';
import { type StateHolder, unconfirmedChanges } from './unconfirmed';

/** The core's side in a few lines. */
function createCore(initial: string) {
  let sessions = 1;
  let first = Text.of(initial.split('\n'));
  /** A run of the app, and the version with which it took the session up. */
  let epoch = { id: 'e0', began: 0 };
  let file = { version: 0, text: first };
  let doc = Text.of(initial.split('\n'));
  let log: OwnedChange[] = [];
  /** Of sessions that ended in order. */
  const ended = new Map<string, typeof log>();
  const listeners = new Set<(updates: NoteUpdate[]) => void>();
  const wire = (updates: typeof log): NoteUpdate[] =>
    updates.map(({ changes, ...update }) => ({ ...update, changes: changes.toJSON() as never }));
  return {
    text: () => doc.toString(),
    listeners,
    /** Keeps what the session had. */
    end() {
      ended.set(`s${sessions}`, log);
    },
    restart(text = doc.toString()) {
      sessions++;
      doc = Text.of(text.split('\n'));
      first = doc;
      file = { version: 0, text: doc };
      log = [];
      listeners.clear();
    },
    save() {
      file = { version: log.length, text: doc };
    },
    /** As after a kill: the session goes on with what is left of its journal. */
    die(left: number) {
      const kept = Math.round(file.version + left * (log.length - file.version));
      log = log.slice(0, kept);
      doc = log.reduce((text, { changes }) => changes.apply(text), first);
      epoch = { id: `${epoch.id}+`, began: kept };
      listeners.clear();
    },
    /** By another program, in the file. */
    write(text: string) {
      const changes = ChangeSet.of({ from: 0, to: doc.length - 8, insert: text.slice(0, -8) }, doc.length);
      log.push({ clientId: 'disk', changes });
      doc = changes.apply(doc);
    },
    /** The same, and its journal is lost. */
    dieWithJournal() {
      this.restart(file.text.toString());
    },
    follow(seen: SeenState | null) {
      const sessionId = `s${sessions}`;
      const isIts = seen?.sessionId === sessionId;
      const isLost = isIts && seen.epoch !== epoch.id && seen.version > epoch.began;
      if (isIts && !isLost)
        return { kind: 'rejoined' as const, updates: wire(log.slice(seen.version)), epoch: epoch.id };
      const former = seen && ended.get(seen.sessionId);
      const at = { sessionId, version: log.length, epoch: epoch.id };
      const opened = { kind: 'opened' as const, ...at, text: doc.toString() };
      if (isLost) return { ...opened, lostAfter: epoch.began };
      return former ? { ...opened, former: wire(former.slice(seen.version)) } : opened;
    },
    push(request: PushRequest): number | 'gone' {
      if (request.sessionId !== `s${sessions}`) return 'gone';
      if (request.epoch !== epoch.id) return 'gone';
      const received = request.updates.map((update) => ({
        ...update,
        changes: ChangeSet.fromJSON(update.changes),
      }));
      const rebased = log
        .slice(request.version)
        .reduce<OwnedChange[]>((own, next) => rebase(own, next).own, received);
      for (const update of rebased) {
        doc = update.changes.apply(doc);
        log.push(update);
      }
      if (rebased.length > 0) for (const listener of listeners) listener(wire(rebased));
      return log.length;
    },
  };
}

/** An editor whose messages to and from the core wait until they are delivered, or are lost together. */
function createFollower(core: ReturnType<typeof createCore>, clientId: string) {
  let up: (() => void)[] = [];
  let down: (() => void)[] = [];
  let state = EditorState.create({ extensions: [unconfirmedChanges] });
  const editor: StateHolder = {
    get state() {
      return state;
    },
    dispatch: (...specs: TransactionSpec[]) => {
      state = state.update(...specs).state;
    },
  };
  let stop: () => void = () => undefined;
  const follow = (seen: SeenState | null) => {
    stop();
    up.push(() => {
      const first = core.follow(seen);
      const listener = (updates: NoteUpdate[]) => void down.push(() => sync.updates(updates));
      core.listeners.add(listener);
      stop = () => core.listeners.delete(listener);
      down.push(() => (first.kind === 'opened' ? sync.opened(first) : sync.rejoined(first)));
    });
  };
  const push = (request: PushRequest) => {
    up.push(() => {
      const answer = core.push(request);
      down.push(() =>
        answer === 'gone' ? sync.refused(request.attempt, true) : sync.acknowledged(request.attempt, answer),
      );
    });
  };
  const stranded: string[] = [];
  const onStranded = (text: string) => void stranded.push(text);
  const open = () => createNoteSync({ editor, clientId, follow, push, onStranded });
  let sync = open();
  sync.start();
  return {
    sync: () => sync,
    stranded,
    text: () => state.doc.toString(),
    insert(place: number, text: string) {
      if (sync.version() === null) return false;
      this.insertAt(Math.floor(place * (state.doc.length + 1)), text);
      return true;
    },
    insertAt(from: number, insert: string) {
      editor.dispatch({ changes: { from, insert } });
      sync.edited();
    },
    /** The cursor. */
    put: (at: number) => editor.dispatch({ selection: { anchor: at } }),
    type(text: string) {
      editor.dispatch(state.replaceSelection(text));
      sync.edited();
    },
    remove(place: number) {
      const from = Math.floor(place * state.doc.length);
      if (sync.version() === null || state.doc.length === 0) return;
      editor.dispatch({ changes: { from, to: Math.min(state.doc.length, from + 3) } });
      sync.edited();
    },
    /** What comes before this was told before. */
    tellSaved: () => void down.push(() => sync.saved()),
    deliverUp: () => up.shift()?.(),
    deliverDown: () => down.shift()?.(),
    waiting: () => up.length + down.length,
    /** Another editor goes on with what is held, as after the page was loaded anew. */
    reopen(arrives: boolean) {
      const held = sync.held();
      if (!held) return;
      if (arrives) for (const send of up) send();
      up = [];
      down = [];
      stop();
      stop = () => undefined;
      state = EditorState.create({ extensions: [unconfirmedChanges] });
      sync = open();
      sync.resume(JSON.parse(JSON.stringify(held)));
    },
    drop() {
      up = [];
      down = [];
      stop();
      stop = () => undefined;
      sync.lost();
    },
  };
}

const step = fc.record({
  who: fc.nat(1),
  what: fc.constantFrom(
    'insert',
    'insert',
    'up',
    'up',
    'down',
    'down',
    'drop',
    'remove',
    'restart',
    'reopen',
    'end',
    'save',
    'die',
  ),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

function play(
  steps: readonly { who: number; what: string; place: number }[],
  allowed: (what: string) => boolean,
) {
  const core = createCore('one line\nanother line');
  const followers = [createFollower(core, 'a'), createFollower(core, 'b')];
  const written: string[] = [];
  const settle = () => {
    while (followers.some((f) => f.waiting() > 0)) {
      for (const f of followers) {
        f.deliverUp();
        f.deliverDown();
      }
    }
  };
  settle();
  for (const { who, what, place } of steps.filter((s) => allowed(s.what))) {
    const follower = followers[who]!;
    if (what === 'insert') {
      const mark = String.fromCodePoint(0x4e00 + written.length);
      if (follower.insert(place, mark)) written.push(mark);
    } else if (what === 'remove') follower.remove(place);
    else if (what === 'up') follower.deliverUp();
    else if (what === 'down') follower.deliverDown();
    else if (what === 'drop') follower.drop();
    else if (what === 'reopen') follower.reopen(place < 0.5);
    else if (what === 'save') {
      core.save();
      for (const f of followers) f.tellSaved();
    } else if (what === 'die') {
      if (place < 0.3) core.dieWithJournal();
      else core.die(Math.min(1, (place - 0.3) / 0.5));
      for (const f of followers) f.drop();
    } else {
      if (what === 'end') core.end();
      const text = core.text();
      const copy = what === 'end' ? written.at(-1 - Math.floor(place * 4)) : undefined;
      // What another program writes is just like what somebody types.
      const at = Math.floor(place * (text.length + 1));
      // Not the very text that a window shows, which would have come from there.
      const own = copy === undefined ? '' : String.fromCodePoint(0x4e00 + written.length);
      core.restart(text.slice(0, at) + (copy ?? '') + own + text.slice(at));
      if (copy !== undefined) written.push(own, copy);
      for (const f of followers) f.drop();
    }
  }
  settle();
  return { core, followers, written };
}

test('two windows on one note end up equal, whatever is lost on the way and whenever the core starts anew', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { core, followers } = play(steps, () => true);
      for (const follower of followers) {
        expect(follower.text()).toBe(core.text());
        expect(follower.sync().hasPending()).toBe(false);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the words of two who type at one place at once are not woven together', () => {
  const words = [
    ['one', ' two', 'Three', '\n', 'four'],
    ['UNO', ' DOS', 'TRES', '\n\n', 'CUATRO'],
  ].map((parts) => [...parts.join('')]);
  const turn = fc.record({ who: fc.nat(1), what: fc.constantFrom('type', 'type', 'up', 'down') });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 40, maxLength: 120 }), (turns) => {
      const core = createCore('above\nbelow');
      const followers = [createFollower(core, 'a'), createFollower(core, 'b')];
      const settle = () => {
        while (followers.some((f) => f.waiting() > 0))
          for (const f of followers) {
            f.deliverUp();
            f.deliverDown();
          }
      };
      settle();
      const left = words.map((word) => [...word]);
      for (const follower of followers) follower.put('above'.length);
      for (const { who, what } of turns) {
        const follower = followers[who]!;
        if (what === 'up') follower.deliverUp();
        else if (what === 'down') follower.deliverDown();
        else {
          const letter = left[who]?.shift();
          if (letter !== undefined) follower.type(letter);
        }
      }
      settle();
      for (const [at, follower] of followers.entries()) {
        expect(follower.text()).toBe(core.text());
        const typed = words[at]?.slice(0, words[at].length - (left[at]?.length ?? 0)).join('');
        expect(core.text()).toContain(typed);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('what is typed after the page was loaded anew reaches the core, also where a change before came to nothing', () => {
  const steps = [
    ...[
      { who: 0, what: 'remove' },
      { who: 1, what: 'remove' },
      { who: 0, what: 'up' },
    ],
    ...[
      { who: 1, what: 'down' },
      { who: 1, what: 'reopen' },
      { who: 1, what: 'insert' },
    ],
  ];
  const { core, followers } = play(
    steps.map((one) => ({ ...one, place: 0 })),
    () => true,
  );
  expect(core.text()).toContain('\u4e00');
  for (const follower of followers) expect(follower.text()).toBe(core.text());
});

test('everything typed stands in the note exactly once, also after lost messages and a restarted core', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { core, written } = play(steps, (what) => !['remove', 'end', 'save', 'die'].includes(what));
      const kept = [...core.text()].filter((char) => char >= '\u4e00').sort();
      expect(kept).toEqual([...written].sort());
    }),
    { numRuns: 2_000 },
  );
});

test('what was confirmed, and lost with the app because it was in no file, is written again by those who wrote it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { core, written, followers } = play(
        steps,
        (what) => !['remove', 'restart', 'end'].includes(what),
      );
      const kept = [...core.text()].filter((char) => char >= '\u4e00').sort();
      expect(kept).toEqual([...written].sort());
      for (const follower of followers) expect(follower.text()).toBe(core.text());
    }),
    { numRuns: 2_000 },
  );
});

test('what another program writes that is like what somebody types stands beside it, after a session that ended in order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { core, written, followers } = play(
        steps,
        (what) => !['remove', 'restart', 'save', 'die'].includes(what),
      );
      const kept = [...core.text()].filter((char) => char >= '\u4e00').sort();
      expect(kept).toEqual([...written].sort());
      for (const follower of followers) expect(follower.text()).toBe(core.text());
    }),
    { numRuns: 2_000 },
  );
});

test('what somebody was told is not in a note that is another one by now is kept, and nothing that arrived', () => {
  const core = createCore('one line');
  const follower = createFollower(core, 'a');
  const settle = () => {
    while (follower.waiting() > 0) {
      follower.deliverUp();
      follower.deliverDown();
    }
  };
  settle();
  follower.insert(0, 'arrived ');
  follower.deliverUp();
  core.end();
  core.restart('FRESH words that were never here');
  follower.drop();
  settle();
  expect(follower.stranded).toEqual([]);
  expect([core.text(), follower.text()]).toEqual(Array(2).fill('FRESH words that were never here'));
});

test.each([
  ['今天', '今天下雨'],
  ['word', 'words'],
])('%s that arrived, or did not, beside %s of another program', (typed, theirs) => {
  for (const arrives of [true, false]) {
    const core = createCore('');
    const follower = createFollower(core, 'a');
    const settle = () => {
      while (follower.waiting() > 0) {
        follower.deliverUp();
        follower.deliverDown();
      }
    };
    settle();
    follower.insert(0, typed);
    if (arrives) follower.deliverUp();
    core.end();
    core.restart(arrives ? theirs + typed : theirs);
    follower.drop();
    settle();
    expect(arrives ? [theirs + typed] : [typed + theirs, theirs + typed]).toContain(core.text());
    expect(follower.text()).toBe(core.text());
  }
});

test('a wire that drops after any message of a scripted exchange neither doubles nor loses text', () => {
  const script = ['insert', 'up', 'insert', 'insert', 'down', 'down', 'up', 'down', 'insert', 'up', 'down'];
  for (let cut = 0; cut <= script.length; cut++) {
    const steps = script.map((what, i) => ({ who: 0, what, place: (i * 7) / 100 }));
    steps.splice(cut, 0, { who: 0, what: 'drop', place: 0 });
    const { core, followers, written } = play(steps, () => true);
    expect(followers[0]!.text()).toBe(core.text());
    for (const mark of written) expect(core.text().split(mark)).toHaveLength(2);
  }
});

test.each([
  ['another note', 'FRESH words that were never here', ['typed one line\nanother line']],
  ['the same note, changed', 'one line\nmore\nanother line', []],
])('what was typed while the core was gone, and %s is there when it comes back', (_, text, stranded) => {
  const core = createCore('one line\nanother line');
  const follower = createFollower(core, 'a');
  const settle = () => {
    while (follower.waiting() > 0) {
      follower.deliverUp();
      follower.deliverDown();
    }
  };
  settle();
  follower.insert(0, 'typed ');
  core.restart(text);
  follower.drop();
  settle();
  expect(follower.stranded).toEqual(stranded);
  expect(core.text()).toBe(stranded.length > 0 ? text : `typed ${text}`);
  expect(follower.text()).toBe(core.text());
});

test('what comes together by chance is shown one after the other, but of a backlog only the end', () => {
  let state = EditorState.create({ extensions: [unconfirmedChanges] });
  const shown: string[] = [];
  const editor: StateHolder = {
    get state() {
      return state;
    },
    dispatch: (...specs: TransactionSpec[]) => {
      state = state.update(...specs).state;
      shown.push(state.doc.toString());
    },
  };
  const nothing = () => undefined;
  const sync = createNoteSync({ editor, clientId: 'a', follow: nothing, push: nothing });
  sync.opened({ sessionId: 's', version: 0, text: '' });
  const writing = (words: readonly string[]) => {
    let length = state.doc.length;
    return words.map((word) => {
      const changes = ChangeSet.of({ from: 0, to: length, insert: word }, length);
      length = word.length;
      return { clientId: 'core', changes: changes.toJSON() as never };
    });
  };
  shown.length = 0;
  sync.updates(writing(['running', 'answered']));
  expect(shown).toEqual(['running', 'answered']);
  shown.length = 0;
  sync.updates(writing(Array.from({ length: 500 }, (_, at) => `${at}`)));
  expect(shown).toEqual(['499']);
});

test('a file in which just that stands which the window shows has it once, whether the session stands or not', () => {
  for (const ends of [true, false])
    for (const copied of ['typed one line', 'typed ', 'ty']) {
      const core = createCore('one line');
      const follower = createFollower(core, 'a');
      const settle = () => {
        while (follower.waiting() > 0) {
          follower.deliverUp();
          follower.deliverDown();
        }
      };
      settle();
      core.die(1);
      for (const [at, letter] of [...'typed '].entries()) follower.insertAt(at, letter);
      const text = copied === 'typed one line' ? copied : `${copied}one line`;
      if (ends) core.restart(text);
      else core.write(text);
      follower.drop();
      settle();
      expect(core.text()).toBe('typed one line');
      expect(follower.text()).toBe(core.text());
    }
});

test('what has been confirmed no longer counts among what may have arrived', () => {
  const core = createCore('');
  const follower = createFollower(core, 'a');
  follower.deliverUp();
  follower.deliverDown();
  const held = () => {
    const { sent, changes } = follower.sync().held()!;
    return { sent, changes: changes.length };
  };
  follower.insertAt(0, 'one');
  follower.insertAt(3, ' two');
  expect(held()).toEqual({ sent: 1, changes: 2 });
  follower.deliverUp();
  follower.insertAt(7, ' three');
  // It comes back before its push is answered.
  follower.deliverDown();
  expect(held()).toEqual({ sent: 0, changes: 2 });
  follower.deliverDown();
  expect(held()).toEqual({ sent: 2, changes: 2 });
  follower.deliverUp();
  follower.deliverDown();
  expect(held()).toEqual({ sent: 0, changes: 0 });
});
