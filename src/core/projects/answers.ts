import type { EntityBrief, ProjectScope, ProjectsState } from '../../contract/projects';
import {
  checkCanvasPath,
  type Entities,
  type Entity,
  entityNamed,
  idOf,
  isIn,
  openProject,
  ToolFailure,
  toFailure,
  wholeReading,
  withEntities,
  withPlaces,
} from '../../entities/project';
import type { Answers, WordsKept } from './answer-types';
import { briefOf } from './brief';
import { canvasContent } from './canvases';
import { decisionsOf, detailOf } from './detail';
import { translated } from './failures';
import { overviewOf } from './overview';
import { repairAnswers } from './repairs';

export interface OpenedProject {
  readonly answers: Answers;
  tellState(revision: number): Promise<ProjectsState>;
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
  readonly onWordsKept: (kept: WordsKept) => void;
  /** So that what a person typed a moment ago is in the file that is about to be changed. */
  readonly saveNote: (path: string) => Promise<unknown>;
}): Promise<OpenedProject> {
  const { now, saveNote, onWordsKept } = parts;
  const project = await refusing(() => openProject(parts));

  const tell = ({ id, path }: EntityBrief, said: readonly string[]): void => {
    if (said.length > 0) onWordsKept({ code: 'words-kept', note: path, entity: id, said: [...said] });
  };

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
    create: async ({ type, data, canvas, workspace }) => {
      const { entity, said } = await project.change(async (edit) => {
        const options = { ...(workspace !== null && { workspace }) };
        const onCanvas = canvas === null ? {} : { add_to_canvas: true, canvas_source: canvas };
        const made = await edit.create(type, data, { ...options, ...onCanvas });
        return { entity: briefOf(made, edit, now()), said: edit.warnings() };
      }, 'folders');
      tell(entity, said);
      return entity;
    },
    update: async ({ id, data, revision }) => {
      const before = entityNamed(id, lookup(await project.entities()));
      await saveNote(before.path);
      const { said, ...changed } = await project.change(async (edit) => {
        const { entity, cascaded } = await edit.update(id, data, wholeReading(revision));
        return { entity: briefOf(entity, edit, now()), cascaded: [...cascaded], said: edit.warnings() };
      }, 'events');
      tell(changed.entity, said);
      return changed;
    },
    ...repairAnswers(project, saveNote),
    canvas: async ({ path }) => {
      checkCanvasPath(path);
      const entities = await project.entities();
      const document = await project.find(path);
      if (!document) throw new ToolFailure('not_found', `There is no canvas “${path}”.`);
      const files = new Set(project.files().map((file) => file.path));
      return canvasContent(document, entities, (file) => files.has(file), now());
    },
    // Where a person puts a node counts, whatever else was changed in the file meanwhile; a node that is gone stays gone.
    moveNodes: ({ path, places, version, onlyOnto }) =>
      project.change(async (_edit, draft) => {
        checkCanvasPath(path);
        const before = await draft.read(path);
        if (!before) throw new ToolFailure('not_found', `There is no canvas “${path}”.`);
        if (onlyOnto && before.hash !== version)
          throw new ToolFailure('conflict', `“${path}” was changed meanwhile.`);
        const after = await draft.write(path, withPlaces(path, before.text, places));
        return { onto: before.hash, version: after.hash };
      }, 'events'),
    addMissing: async ({ path, types, ...scope }) => {
      checkCanvasPath(path);
      return project.change(async (edit, draft) => {
        const all = [...edit.all()];
        const wanted = inScope({ all: () => all }, scope).filter(
          (entity) => !entity.archived && types.includes(entity.type),
        );
        const text = (await draft.read(path))?.text ?? '';
        const files = new Set(project.files().map((file) => file.path));
        const after = withEntities(path, text, wanted, all, (file) => files.has(file));
        await draft.write(path, after.text);
        return { added: after.added };
      }, 'folders');
    },
  };

  async function tellState(revision: number): Promise<ProjectsState> {
    const entities = (await project.entities()).all();
    const workspaces = (await project.workspaces()).filter(({ path }) =>
      entities.some((entity) => isIn(path, entity.path)),
    );
    return {
      kind: 'ready',
      revision,
      entities: entities.length,
      workstreams: [...new Set(entities.map((entity) => entity.workstream))]
        .filter((name) => name !== null)
        .sort(),
      workspaces: workspaces.map(({ name, path }) => ({ name, path })),
      canvases: project
        .files()
        .map((file) => file.path)
        .filter((path) => path.endsWith('.canvas')),
    };
  }

  return {
    answers: all(answers),
    tellState: (n) => refusing(() => tellState(n)),
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

const lookup = (entities: Entities) => ({
  get: entities.get,
  all: entities.all,
  troubled: entities.troubled,
});

function inScope(entities: Pick<Entities, 'all'>, scope: ProjectScope): readonly Entity[] {
  const { workstream, workspace } = scope;
  return entities
    .all()
    .filter((entity) => workstream === null || entity.workstream === workstream)
    .filter((entity) => workspace === null || isIn(workspace, entity.path));
}
