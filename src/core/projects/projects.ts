import type { ProjectsState } from '../../contract/projects';
import type { Clock, Log } from '../foundation';
import type { Vault } from '../vault';
import type { Answers, WordsKept } from './answer-types';
import type { OpenedProject } from './answers';
import { createCurrentProject } from './current-project';

/** The entities of the open vault. Nothing is read before somebody asks. */
export interface Projects extends Answers {
  state(signal: AbortSignal): AsyncIterable<ProjectsState>;
  /** Where the entity of a note with this text is now; null: the text is none of an entity, or it is nowhere. */
  pathOf(text: string): Promise<string | null>;
  close(): void;
}

/**
 * Keeps the project of the open vault; what reads it is loaded, and the vault read, when somebody first asks. Long for its list of
 * operations.
 */
export function createProjects(parts: {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly saveNote: (path: string) => Promise<unknown>;
  /** Words that stood where others were put are told to the person. */
  readonly onWordsKept?: (notice: WordsKept) => void;
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
  const current = createCurrentProject(open, log);
  let followers = 0;

  async function open(root: string, onChange: () => void): Promise<OpenedProject> {
    const { openAnswers } = await import('./answers');
    return openAnswers({
      root,
      now: () => new Date(clock.now()),
      onChange,
      report: (error) => log.warn('project not followed', { error }),
      saveNote,
      onWordsKept,
    });
  }

  const opened = () => current.openAt(vault.root());

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
    if (state.kind === 'open' && current.root() === state.path) return;
    current.leave();
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
        yield* current.state.follow(signal);
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
      current.leave();
    },
  };
}
