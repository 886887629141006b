import { AppError } from '../../contract/errors';
import type { ProjectsState } from '../../contract/projects';
import { createObservable, type Log, type Observable } from '../foundation';
import type { OpenedProject } from './answers';

/** The one project that is open, and how it stands. */
export interface CurrentProject {
  readonly state: Observable<ProjectsState>;
  /** Absolute; null: none. */
  root(): string | null;
  /** Opens the one of this folder, unless it is open; leaves any other. */
  openAt(root: string): Promise<OpenedProject>;
  leave(): void;
}

export function createCurrentProject(
  open: (root: string, onChange: () => void) => Promise<OpenedProject>,
  log: Log,
): CurrentProject {
  const state = createObservable<ProjectsState>({ kind: 'none' });
  let current: {
    readonly root: string;
    readonly project: Promise<OpenedProject>;
    isBeingTold: boolean;
  } | null = null;
  let revision = 0;

  function leave(): void {
    const last = current;
    current = null;
    state.set({ kind: 'none' });
    last?.project.then(
      (project) => project.close(),
      () => undefined,
    );
  }

  function openAt(root: string): Promise<OpenedProject> {
    if (current?.root === root) return current.project;
    leave();
    state.set({ kind: 'reading' });
    const project = open(root, () => current?.root === root && tell());
    const own = { root, project, isBeingTold: false };
    current = own;
    project.then(tell, (error: unknown) => {
      // The next who asks tries again.
      if (current !== own) return;
      current = null;
      state.set({ kind: 'failed', reason: error instanceof AppError ? error.message : '' });
      log.warn('project not opened', { error });
    });
    return project;
  }

  /** Changes that come while the last ones are told are told together. */
  function tell(): void {
    revision++;
    const own = current;
    if (!own || own.isBeingTold) return;
    own.isBeingTold = true;
    void (async () => {
      let last = -1;
      try {
        while (last !== revision && current === own) {
          last = revision;
          const now = await (await own.project).state(last);
          if (current === own) state.set(now);
        }
      } catch (error) {
        log.warn('project not described', { error });
        if (current === own)
          state.set({ kind: 'failed', reason: error instanceof AppError ? error.message : '' });
      } finally {
        own.isBeingTold = false;
      }
    })();
  }

  return { state, root: () => current?.root ?? null, openAt, leave };
}
