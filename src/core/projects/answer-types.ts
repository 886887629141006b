import type { NoticeFacts } from '../../contract/app';
import type { NameOf, OutputOf, ParsedInputOf } from '../../contract/define';
import type { projectsOperations } from '../../contract/projects';

export type WordsKept = Extract<NoticeFacts, { code: 'words-kept' }>;

type Operations = typeof projectsOperations;
type Name = NameOf<Operations, 'call'> extends `projects.${infer Short}` ? Short : never;

/** What the open project of one vault answers; each as its operation promises. */
export type Answers = {
  readonly [S in Name]: (
    input: ParsedInputOf<Operations[`projects.${S}`]>,
  ) => Promise<OutputOf<Operations[`projects.${S}`]>>;
};
