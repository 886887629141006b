import { checkCanvasPath, type Project, ToolFailure, withEntities, withPlaces } from '../../entities/project';
import type { Answers } from './answer-types';
import { canvasContent } from './canvases';
import { inScope } from './scope';

export function canvasAnswers(
  project: Project,
  now: () => Date,
): Pick<Answers, 'canvas' | 'moveNodes' | 'addMissing'> {
  return {
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
        const entities = inScope({ all: () => all }, scope).filter(
          (entity) => !entity.archived && types.includes(entity.type),
        );
        const text = (await draft.read(path))?.text ?? '';
        const files = new Set(project.files().map((file) => file.path));
        const after = withEntities(path, text, entities, all, (file) => files.has(file));
        await draft.write(path, after.text);
        return { added: after.added };
      }, 'folders');
    },
  };
}
