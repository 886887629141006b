import type { EntityBrief } from '../../contract/projects';
import { entityNamed, type Project, wholeReading } from '../../entities/project';
import type { Answers, WordsKept } from './answer-types';
import { briefOf } from './brief';
import { lookup } from './scope';

export function editAnswers(
  project: Project,
  {
    now,
    saveNote,
    onWordsKept,
  }: {
    readonly now: () => Date;
    readonly saveNote: (path: string) => Promise<unknown>;
    readonly onWordsKept: (kept: WordsKept) => void;
  },
): Pick<Answers, 'create' | 'update'> {
  const tell = ({ id, path }: EntityBrief, said: readonly string[]): void => {
    if (said.length > 0) onWordsKept({ code: 'words-kept', note: path, entity: id, said: [...said] });
  };

  return {
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
  };
}
