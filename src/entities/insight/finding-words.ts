import { kinds, parseId } from '../entity/model/model';
import type { Finding } from './finding';

/** What is wrong, in a sentence. */
export function problemOf({ code, id, field, value }: Finding): string {
  const who = id === null ? '' : `${id}: `;
  switch (code) {
    case 'invalid_status':
    case 'invalid_priority':
    case 'invalid_value':
      return `${who}“${value}” is no ${field}.`;
    case 'misnamed_field':
      return `${who}“${field}” is not read; it is “${value}”.`;
    case 'type_mismatch':
      return `${who}its type says “${value}”, its id says otherwise.`;
    case 'no_type':
      return `${who}it has no type.`;
    case 'decided_but_pending':
      return `${who}says what was decided and is still pending.`;
    case 'no_such_entity':
      return `${who}${field} names ${value}, which nobody is.`;
    case 'wrong_parent':
      return `${who}can’t be a part of ${value}.`;
    case 'waits_for_its_whole':
      return `${who}waits for ${value}, which it is a part of.`;
    case 'circle':
      return `${field} leads in a circle: ${value}`;
    case 'deadlock':
      return `They wait for each other, by dependencies, parts and decisions: ${value}`;
    case 'id_too_high':
      return `${who}its number is too high to count on from.`;
    case 'duplicate_id':
      return `Another note has the id ${id}, too.`;
    case 'no_id':
      return `A ${value} without an id, so no entity.`;
    case 'unreadable':
      return `${who}its front matter can’t be read: ${value}`;
    case 'unclosed':
      return `${who}its front matter has no end (---).`;
    case 'too_large':
      return `${who}the note is too large to be read.`;
    case 'damaged_record':
      return `It can’t be read as a whole: ${value}`;
    case 'half_undone':
      return 'A change was cut off and undone, but not here: this note was changed meanwhile and may keep a part of it, or it is one of the two places of a note that was moved and can’t go back, since its old place is taken or can’t be reached.';
    case 'half_done':
      return `A change of several notes ${value === null ? 'may have been' : 'was'} cut off and could not be undone, or not as a whole: some may be changed and others not. ${value === null ? 'What was in the place of its journal' : 'Its journal'}, kept here, may have the only copy of what they held. ${value === null ? 'Which notes they are, it does not tell.' : `It names: ${value}`}`;
    case 'hidden':
      return value === null
        ? `${who}its name begins with a dot, so it is hidden.`
        : `Hidden, with notes whose ids nobody else has: ${value}`;
    case 'dead_link':
      return `It is a symbolic link that leads nowhere: ${value}`;
    case 'no_file':
      return 'It is no file, but a pipe, a socket or a device, so nobody can read it.';
    case 'dead_node':
      return `A node shows “${value}”, which is not there.`;
    case 'double_node':
      return `Several nodes have the id ${value}.`;
    case 'loose_edge':
      return `An edge leads to a node that is not there: ${value}`;
    case 'damaged_canvas':
      return `It is no canvas: ${value}`;
    case 'unusable_name':
      return `With this name it is invisible: ${value ?? 'no path may have it.'}`;
  }
}

/** A path with what no one would see at its ends or in it. */
export function pathWords(path: string): string {
  return /^\s|\s(?:$|\/)|\/\s|[\p{Cc}\uFFFD]/u.test(path) ? JSON.stringify(path) : path;
}

/** What would put it right. */
export function repairOf({ code, id, repair }: Finding): string {
  if (code === 'half_undone') return 'look at it, then take it off this list';
  if (code === 'half_done') return 'look at these notes, then take it off this list';
  switch (repair?.kind) {
    case undefined:
      return byHand(code, id);
    case 'set':
      return `set ${repair.field} to ${Array.isArray(repair.to) ? repair.to.join(', ') : repair.to}`;
    case 'drop':
      return `take ${repair.id} out of ${repair.field}`;
    case 'to-text':
      return `move ${repair.field} into the text`;
    case 'rename-field':
      return `call it ${repair.to}`;
    case 'new-id':
      return 'give it an id of its own';
    case 'mend':
      return 'close it, quote the lines or make them comments';
    case 'rewrite':
      return 'write it anew, with what can be read of it';
    case 'rename':
      return `rename it to “${repair.to}”`;
  }
}

/** What a person has to do where nothing can be proposed. */
function byHand(code: Finding['code'], id: string | null): string {
  const type = parseId(id ?? '')?.type;
  if (code === 'invalid_status' && type) return `by hand: set one of ${kinds[type].statuses.join(', ')}`;
  if (code === 'dead_link') return 'by hand: delete the link, or make it anew to where the note is now';
  if (code === 'circle') return 'by hand: take the step out that is not so';
  if (code === 'no_file') return 'by hand: move it out of the vault';
  return 'by hand';
}
