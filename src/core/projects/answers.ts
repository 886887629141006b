import type { ProjectsState } from '../../contract/projects';
import { entityNamed, idOf, openProject, toFailure } from '../../entities/project';
import type { Answers, WordsKept } from './answer-types';
import { briefOf } from './brief';
import { canvasAnswers } from './canvas-answers';
import { decisionsOf, detailOf } from './detail';
import { editAnswers } from './edit-answers';
import { translated } from './failures';
import { overviewOf } from './overview';
import { repairAnswers } from './repairs';
import { inScope, lookup } from './scope';
import { projectState } from './state';

export interface OpenedProject {
  readonly answers: Answers;
  state(revision: number): Promise<ProjectsState>;
  pathOf(text: string): Promise<string | null>;
  /** A file or folder got another path: canvases show it there. */
  moved(from: string, to: string): Promise<void>;
  close(): void;
}

/** Opens the project of a vault and answers from it. */
export async function openAnswers(parts: {
  readonly root: string;
  readonly now: () => Date;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
  readonly onWordsKept: (notice: WordsKept) => void;
  /** So that what a person typed a moment ago is in the file that is about to be changed. */
  readonly saveNote: (path: string) => Promise<unknown>;
}): Promise<OpenedProject> {
  const { now, saveNote, onWordsKept } = parts;
  const project = await refusing(() => openProject(parts));

  const answers: Answers = {
    overview: async (scope) => {
      const entities = await project.entities();
      return overviewOf(inScope(entities, scope), entities, now());
    },
    list: async ({ archived, ...scope }) => {
      const [entities, at] = [await project.entities(), now()];
      return inScope(entities, scope)
        .filter((entity) => archived || !entity.archived)
        .map((entity) => briefOf(entity, entities, at));
    },
    decisions: async ({ topic, ...scope }) => {
      const entities = await project.entities();
      return decisionsOf(new Set(inScope(entities, scope)), entities, project.search, topic, now());
    },
    entity: async ({ id }) => {
      /** What seems not to be there, by events alone, may only have been moved in this moment. */
      const present = async () => {
        const entities = await project.entities();
        return entities.get(id) ? entities : project.entities('folders');
      };
      // What was typed a moment ago counts.
      await saveNote(entityNamed(id, lookup(await present())).path);
      return project.readAtOnce(async () => {
        const entities = await present();
        return detailOf(entityNamed(id, lookup(entities)), entities, project, now());
      });
    },
    find: async ({ ids }) => {
      const [entities, at] = [await project.entities(), now()];
      return [...new Set(ids)]
        .map((id) => entities.get(id))
        .filter((entity) => entity !== undefined)
        .map((entity) => briefOf(entity, entities, at));
    },
    ...editAnswers(project, { now, saveNote, onWordsKept }),
    ...repairAnswers(project, saveNote),
    ...canvasAnswers(project, now),
  };

  return {
    answers: all(answers),
    state: (revision) => refusing(() => projectState(project, revision)),
    pathOf: async (text) => {
      const id = idOf(text);
      return id === null ? null : ((await project.entities('folders')).get(id)?.path ?? null);
    },
    moved: (from, to) => project.change((edit) => edit.moved(from, to)),
    close: project.close,
  };
}

/** Each answer with its failures in the words of the contract. */
function all(answers: Answers): Answers {
  const wrapped = Object.entries(answers).map(([name, answer]) => [
    name,
    (input: never) => refusing(() => (answer as (input: never) => Promise<unknown>)(input)),
  ]);
  return Object.fromEntries(wrapped) as Answers;
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translated(error, toFailure);
  }
}
