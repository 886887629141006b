import { ToolFailure } from '../base/failures';
import type { Edit } from '../change/edit';
import { type EntityType, entityTypes, idIn, idsIn, parseId, referenceFields } from '../entity/model/model';
import { mended } from '../entity/note/mend';
import { withValues } from '../entity/note/note-text';
import { idOf, nameOf, readParts } from '../entity/note/read';
import type { Draft } from '../store/batch/draft';
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
      if (repair.field === 'id' && readParts(text).values === null) await keep(withIdentity(finding, text));
      else await keep(withValues(path, text, { [repair.field]: repair.to }));
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
      await keep(idOf(after) === null ? withIdentity(finding, after) : after);
      return;
    }
    case 'rename':
    case 'rewrite':
      // The store does that: no draft can hold such a name, or such a file.
      throw byHand(finding);
    case 'new-id': {
      const type = parseId(finding.id ?? '')?.type ?? entityTypes.find((each) => each === finding.value);
      if (!type) throw byHand(finding);
      const id = await withNewId(type, finding, edit, draft, text);
      if (finding.code === 'id_too_high' && finding.id !== null)
        await followId({ from: finding.id, to: id }, edit, draft);
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
  const rest = value.filter((item) => idIn(item) !== id);
  return rest.length === 0 ? undefined : rest;
}

function withFieldRenamed(text: string, { field, to }: Extract<Repair, { kind: 'rename-field' }>): string {
  const { head, body } = readParts(text);
  const lines = head.split(/(?<=\n)/);
  const at = lines.findIndex(
    (line) => /^["']?([^"':]{0,1024}?)["']?[ \t]{0,1024}:/.exec(line)?.[1] === field,
  );
  if (at !== -1) lines[at] = (lines[at] ?? '').replace(/^["']?[^"':]{0,1024}?["']?(?=[ \t]{0,1024}:)/, to);
  return lines.join('') + body;
}

function asText(path: string, text: string, field: string): string {
  const value = readParts(text).values?.[field];
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  // Front matter can spell what no text can hold.
  const line = `${field}: ${words.replaceAll('\0', '').toWellFormed()}`;
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
): Promise<string> {
  const id = edit.claim(type);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.length - name.length);
  const isCalledByOld = old !== null && name.startsWith(`${old} `);
  const to = isCalledByOld ? `${folder}${id}${name.slice(old.length)}` : path;
  const values = { id, ...(readParts(text).values?.type === undefined && { type }) };
  if (to !== path) {
    if (await draft.read(to)) throw new ToolFailure('conflict', `“${to}” exists already.`);
    await draft.remove(path);
    draft.moved(path, to);
    await edit.moved(path, to);
  }
  const whole = withLostWords(text, withValues(path, text, values));
  if (idOf(whole) !== id) throw new ToolFailure('validation', `“${path}” can be put right by hand only.`);
  await draft.write(to, whole);
  return id;
}

/** Whoever names the one names the other. */
async function followId({ from, to }: { from: string; to: string }, edit: Edit, draft: Draft): Promise<void> {
  const renamed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(renamed)
      : idIn(value) === from
        ? String(value).replaceAll(new RegExp(from, 'gi'), to)
        : value;
  for (const { type, path, values } of edit.all()) {
    const fields = referenceFields(type).filter((field) => idsIn(values[field]).includes(from));
    const document = fields.length === 0 ? null : await draft.read(path);
    if (!document) continue;
    const changes = fields.map((field) => [field, renamed(readParts(document.text).values?.[field])]);
    await draft.write(path, withValues(path, document.text, Object.fromEntries(changes)));
  }
}

/** What a note that lost its front matter was, as far as its name and its finding tell. */
function withIdentity({ path, id }: Finding, text: string): string {
  const type = parseId(id ?? '')?.type;
  const { title } = readParts(text).values ?? {};
  const titleOfName = nameOf(path).replace(new RegExp(`^${id}[ -]*`, 'i'), '');
  return withValues(path, text, {
    id,
    type,
    ...(title === undefined && titleOfName !== '' && { title: titleOfName }),
  });
}
