import { isGivenTag, type Role, type TagNames } from '../../../../markdown';
import { roleOf } from './note-context';

export interface RoleTag {
  readonly role: Role | 'new-chat';
  readonly tag: string;
  /** Offsets in the line: the `#`, and the first character after tag, colon and blanks. */
  readonly from: number;
  readonly to: number;
}

const opening = /^(\s*(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+)?)#([\p{L}\p{N}\p{Emoji}_\-/]+)(\s*[:：]\s?|\s|$)/u;
const following = /^#([\p{L}\p{N}\p{Emoji}_\-/]+)(\s*[:：]\s?|\s|$)/u;

/** The role tags that open a line: one, or `#NewChat` and another. */
export function roleTagsOf(line: string, tags: TagNames): RoleTag[] {
  if (!line.includes('#')) return [];
  const first = opening.exec(line);
  if (!first) return [];
  const [whole, before = '', tag = '', behind = ''] = first;
  const role = roleBefore(behind, tag, tags);
  if (!role) return [];
  const found: RoleTag[] = [{ role, tag, from: before.length, to: whole.length }];
  const second = role === 'new-chat' ? following.exec(line.slice(whole.length)) : null;
  const secondRole = second ? roleBefore(second[2] ?? '', second[1] ?? '', tags) : null;
  if (second && secondRole) {
    found.push({
      role: secondRole,
      tag: second[1] ?? '',
      from: whole.length,
      to: whole.length + second[0].length,
    });
  }
  return found;
}

function roleBefore(behind: string, tag: string, tags: TagNames): RoleTag['role'] | null {
  return roleOf(tag, tags) ?? (/[:：]/.test(behind) && isGivenTag(tag, tags) ? 'assistant' : null);
}
