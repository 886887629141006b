import type { Edit } from '../entities/edit';
import { mended } from '../entities/mend';
import { type EntityType, entityTypes, idIn, parseId } from '../entities/model';
import { withValues } from '../entities/note-text';
import { idOf, readParts } from '../entities/read';
import { ToolFailure } from '../failures';
import type { Draft } from '../files/draft';
import type { Finding, Repair } from './finding';
import { withLostWords } from './lost-words';

/** Drafts what puts a finding right. Throws where only a person can. */
export async function draftRepair(finding: Finding, edit: Edit, draft: Draft): Promise<void> {
  const { path, repair } = finding;
  if (!repair) throw byHand(finding);
  const document = await draft.read(path);
  if (!document) throw new ToolFailure('not_found', `“${path}” is gone.`);
  const { text } = document;
  const keep = async (after: string): Promise<void> => {
    const whole = withLostWords(text, after);
    if (finding.id !== null && !isSameId(idOf(whole), finding.id)) throw byHand(finding);
    await draft.write(path, whole);
  };
  switch (repair.kind) {
    case 'set':
      await keep(withValues(path, text, { [repair.field]: repair.to }));
      return;
    case 'drop':
      await keep(withValues(path, text, { [repair.field]: without(text, repair) }));
      return;
    case 'to-text':
      await keep(asText(path, text, repair.field));
      return;
    case 'rename-field':
      await keep(withFieldRenamed(text, repair));
      return;
    case 'mend': {
      const after = mended(text);
      if (after === null) throw byHand(finding);
      await keep(after);
      return;
    }
    case 'rename':
    case 'rewrite':
      // The store does that: no draft can hold such a name, or such a file.
      throw byHand(finding);
    case 'new-id': {
      const type = parseId(finding.id ?? '')?.type ?? entityTypes.find((each) => each === finding.value);
      if (!type) throw byHand(finding);
      await withNewId(type, finding, edit, draft, text);
    }
  }
}

/** Also where one of them is written with fewer digits. */
function isSameId(one: string | null, other: string): boolean {
  const [a, b] = [parseId(one ?? ''), parseId(other)];
  return a !== null && a.type === b?.type && a.number === b.number;
}

function byHand({ path }: Finding): ToolFailure {
  return new ToolFailure('validation', `“${path}” can be put right by hand only.`);
}

function without(text: string, { field, id }: Extract<Repair, { kind: 'drop' }>): unknown {
  const value = readParts(text).values?.[field];
  if (!Array.isArray(value)) return undefined;
  const left = value.filter((item) => idIn(item) !== id);
  return left.length === 0 ? undefined : left;
}

function withFieldRenamed(text: string, { field, to }: Extract<Repair, { kind: 'rename-field' }>): string {
  const { head, body } = readParts(text);
  const lines = head.split(/(?<=\n)/);
  const at = lines.findIndex((line) => /^["']?([^"':]*?)["']?[ \t]*:/.exec(line)?.[1] === field);
  if (at !== -1) lines[at] = (lines[at] ?? '').replace(/^["']?[^"':]*?["']?(?=[ \t]*:)/, to);
  return lines.join('') + body;
}

function asText(path: string, text: string, field: string): string {
  const value = readParts(text).values?.[field];
  const line = `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  const after = withValues(path, text, { [field]: undefined });
  const end = after.includes('\r\n') ? '\r\n' : '\n';
  return `${after.endsWith('\n') ? after : after + end}${end}${line}${end}`;
}

async function withNewId(
  type: EntityType,
  { path, id: old }: Finding,
  edit: Edit,
  draft: Draft,
  text: string,
): Promise<void> {
  const id = edit.claim(type);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.length - name.length);
  const isCalledByOld = old !== null && name.startsWith(`${old} `);
  const to = isCalledByOld ? `${folder}${id}${name.slice(old.length)}` : path;
  const values = { id, ...(readParts(text).values?.type === undefined && { type }) };
  if (to !== path) {
    if (await draft.read(to)) throw new ToolFailure('conflict', `“${to}” exists already.`);
    await draft.remove(path);
  }
  const whole = withLostWords(text, withValues(path, text, values));
  if (idOf(whole) !== id) throw new ToolFailure('validation', `“${path}” can be put right by hand only.`);
  await draft.write(to, whole);
}
