import { AppError } from '../../contract/errors';
import type { ProjectsState } from '../../contract/projects';
import { type Clock, createObservable, type Log } from '../foundation';
import type { Vault } from '../vault';
import type { Answers, WordsKept } from './answer-types';
import type { OpenedProject } from './answers';

/** The entities of the open vault. Nothing is read before somebody asks. */
export interface Projects extends Answers {
  state(signal: AbortSignal): AsyncIterable<ProjectsState>;
  /** Where the entity of a note with this text is now; null: the text is none of an entity, or it is nowhere. */
  pathOf(text: string): Promise<string | null>;
  close(): void;
}

/** Keeps the project of the open vault; what reads it is loaded, and the vault read, when somebody first asks. */
export function createProjects(parts: {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly saveNote: (path: string) => Promise<unknown>;
  /** Words that stood where others were put are told to the person. */
  readonly onWordsKept?: (kept: WordsKept) => void;
  /** Around what changes notes for the person. */
  readonly whileWriting?: <T>(work: () => Promise<T>) => Promise<T>;
}): Projects {
  const {
    vault,
    clock,
    log,
    saveNote,
    onWordsKept = () => undefined,
    whileWriting = (work) => work(),
  } = parts;
  const picture = createObservable<ProjectsState>({ kind: 'none' });
  let current: { readonly root: string; readonly project: Promise<OpenedProject> } | null = null;
  let revision = 0;
  let telling = false;
  let followers = 0;

  function leave(): void {
    const left = current;
    current = null;
    picture.set({ kind: 'none' });
    left?.project.then(
      (project) => project.close(),
      () => undefined,
    );
  }

  function opened(): Promise<OpenedProject> {
    const root = vault.root();
    if (current?.root === root) return current.project;
    leave();
    picture.set({ kind: 'reading' });
    const project = open(root);
    const own = { root, project };
    current = own;
    project.then(tell, (error: unknown) => {
      // The next who asks tries again.
      if (current !== own) return;
      current = null;
      picture.set({ kind: 'failed', reason: error instanceof AppError ? error.message : '' });
      log.warn('project not opened', { error });
    });
    return project;
  }

  async function open(root: string): Promise<OpenedProject> {
    const { openAnswers } = await import('./answers');
    return openAnswers({
      root,
      now: () => new Date(clock.now()),
      onChange: () => current?.root === root && tell(),
      report: (error) => log.warn('project not followed', { error }),
      saveNote,
      onWordsKept,
    });
  }

  /** Changes that come while the last ones are told are told together. */
  function tell(): void {
    revision++;
    if (telling || !current) return;
    telling = true;
    const { project } = current;
    void (async () => {
      let told = -1;
      try {
        while (told !== revision && current?.project === project) {
          told = revision;
          const state = await (await project).tellState(told);
          if (current?.project === project) picture.set(state);
        }
      } catch (error) {
        log.warn('project not described', { error });
        picture.set({ kind: 'failed', reason: error instanceof AppError ? error.message : '' });
      } finally {
        telling = false;
      }
    })();
  }

  async function pathOf(text: string): Promise<string | null> {
    // Nothing of a project is read for a note that can be no entity.
    if (!/^id:[^\n]*\b(?:M|S|T|DEC|DOC)-\d/im.test(text.slice(0, 8192))) return null;
    return (await opened()).pathOf(text);
  }

  /** What a person renames in the tree of files is followed on canvases as what an agent moves. */
  const stopFollowing = vault.onOwnChange((change) => {
    if (change.kind !== 'renamed' || !vault.entries().some(({ path }) => path.endsWith('.canvas'))) return;
    const { from, to } = change;
    void whileWriting(async () => (await opened()).moved(from, to)).catch((error) =>
      log.warn('canvases do not follow', { error }),
    );
  });

  const stop = vault.state.onChange((state) => {
    if (state.kind === 'open' && current?.root === state.path) return;
    leave();
    if (state.kind === 'open' && followers > 0) opened().catch(() => undefined);
  });

  const ask = <N extends keyof Answers>(name: N): Answers[N] =>
    // TypeScript does not see that input and answer belong to the same name.
    (async (input: never) =>
      ((await opened()).answers[name] as (input: never) => unknown)(input)) as Answers[N];

  const write = <N extends keyof Answers>(name: N): Answers[N] =>
    ((input: never) =>
      whileWriting(async () => (ask(name) as (input: never) => Promise<unknown>)(input))) as Answers[N];

  return {
    async *state(signal) {
      followers++;
      try {
        if (vault.state.get().kind === 'open') opened().catch(() => undefined);
        yield* picture.follow(signal);
      } finally {
        followers--;
      }
    },
    overview: ask('overview'),
    list: ask('list'),
    decisions: ask('decisions'),
    entity: ask('entity'),
    find: ask('find'),
    create: write('create'),
    update: write('update'),
    check: ask('check'),
    repair: write('repair'),
    repairs: ask('repairs'),
    undoRepair: write('undoRepair'),
    canvas: ask('canvas'),
    moveNodes: ask('moveNodes'),
    addMissing: ask('addMissing'),
    pathOf,
    close: () => {
      stop();
      stopFollowing();
      leave();
    },
  };
}
