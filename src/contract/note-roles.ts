const folders = { agents: 'agent', prompts: 'prompt' } as const;

export interface NoteRole {
  readonly kind: (typeof folders)[keyof typeof folders];
  readonly name: string;
}

/** What a note is for, where it is no place for a conversation: whatever is written in it goes to models with every request. */
export function roleOfNote(path: string): NoteRole | null {
  const [, folder, name] = /^\.interlinear\/(agents|prompts)\/([^/]+)\.md$/i.exec(path) ?? [];
  if (name === undefined) return null;
  return { kind: folders[folder as keyof typeof folders], name };
}
