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
    readonly onWordsKept: (notice: WordsKept) => void;
  },
): Pick<Answers, 'create' | 'update'> {
  const tell = ({ id, path }: EntityBrief, words: readonly string[]): void => {
    if (words.length > 0) onWordsKept({ code: 'words-kept', note: path, entity: id, said: [...words] });
  };

  return {
    create: async ({ type, data, canvas, workspace }) => {
      const { entity, words } = await project.change(async (edit) => {
        const options = { ...(workspace !== null && { workspace }) };
        const onCanvas = canvas === null ? {} : { add_to_canvas: true, canvas_source: canvas };
        const note = await edit.create(type, data, { ...options, ...onCanvas });
        return { entity: briefOf(note, edit, now()), words: edit.warnings() };
      }, 'folders');
      tell(entity, words);
      return entity;
    },
    update: async ({ id, data, revision }) => {
      const before = entityNamed(id, lookup(await project.entities()));
      await saveNote(before.path);
      const { words, ...changed } = await project.change(async (edit) => {
        const { entity, cascaded } = await edit.update(id, data, wholeReading(revision));
        return { entity: briefOf(entity, edit, now()), cascaded: [...cascaded], words: edit.warnings() };
      }, 'events');
      tell(changed.entity, words);
      return changed;
    },
  };
}
