import type { ChangeSpec, EditorState } from '@codemirror/state';
import { blockAround } from '../../editor/reading/blocks';
import { roleTagsAt } from '../../editor/reading/role-tag';

export interface Speaker {
  /** As it stands before the colon. */
  readonly name: string;
  readonly times: number;
}

/** `Name: words`, `**Name**: words`, with either colon. */
const spoken =
  /^(\*\*|__)?([\p{L}\p{N}#][\p{L}\p{N}# ._-]{0,40}?)(?:\*\*|__)?\s?(?::(?:\*\*|__)?(?:\s+|$)|：(?:\*\*|__)?\s*)/u;

/** Names that begin lines like a transcript's, the most frequent first; tags are none. */
export function findSpeakers(state: EditorState): Speaker[] {
  const times = new Map<string, number>();
  for (const { name } of spokenLines(state)) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times]
    .map(([name, count]) => ({ name, times: count }))
    .sort((a, b) => b.times - a.times)
    .slice(0, 8);
}

/** Each name's lines become turns of the tag that it is given; a blank line stands before each. */
export function speakersReplaced(state: EditorState, tags: ReadonlyMap<string, string>): ChangeSpec[] {
  return spokenLines(state).flatMap(({ name, from, to, isFirst }) => {
    const tag = tags.get(name);
    return tag === undefined ? [] : [{ from, to, insert: `${isFirst ? '' : '\n'}#${tag} : ` }];
  });
}

function spokenLines(state: EditorState): { name: string; from: number; to: number; isFirst: boolean }[] {
  const speakers: { name: string; from: number; to: number; isFirst: boolean }[] = [];
  let blank = true;
  let at = 0;
  for (const text of state.doc.iterLines()) {
    const match = spoken.exec(text);
    const name = match?.[2]?.trim();
    if (
      match &&
      name &&
      roleTagsAt(state, { from: at, text }).length === 0 &&
      !/^https?$/i.test(name) &&
      !blockAround(state, at)
    )
      speakers.push({ name, from: at, to: at + match[0].length, isFirst: blank });
    blank = text.trim() === '';
    at += text.length + 1;
  }
  return speakers;
}
