import type { ChangingAnswer, VersionAnswer, VersionAuthor } from '../../../contract/versions';
import { readLines } from '../../notes';
import { type Place, takeBack, writtenByOthers } from '../compare/take-back';
import { type Entry, type NoteList, type NoteRecord, newestText, type TextEntry } from '../store/note-list';
import type { VersionStore } from '../store/store';

interface Before {
  readonly text: string;
  readonly onDisk: boolean;
  /** What others have written since, and what nobody can say of, in the note as it is now. */
  readonly others: readonly Place[];
}

/** How one note comes back to before an answer's tools changed it. */
export interface WayBack {
  readonly record: NoteRecord;
  readonly tools: readonly string[];
  readonly certain: boolean;
  readonly kind: 'text' | 'created' | 'deleted' | 'moved' | 'unknown' | 'nothing';
  /** The text to come back to; `onDisk`: it stood there as it is, line ends included. */
  readonly then: Before | null;
  /** Where it was before. */
  readonly path: string;
}

type ToolAuthor = Extract<VersionAuthor, { kind: 'tool' }>;

const toolsOf = ({ by }: Entry, runId: string) =>
  by.filter((one): one is ToolAuthor => one.kind === 'tool' && one.answer?.runId === runId);

export function changingAnswers(list: NoteList): ChangingAnswer[] {
  const answers = new Map<string, { answer: VersionAnswer; lastAt: number; notes: Set<string> }>();
  for (const entry of list.inOrder()) {
    for (const one of entry.by) {
      if (one.kind !== 'tool' || !one.answer) continue;
      const former = answers.get(one.answer.runId) ?? {
        answer: one.answer,
        lastAt: entry.at,
        notes: new Set(),
      };
      former.lastAt = Math.max(former.lastAt, entry.at);
      former.notes.add(entry.note);
      answers.set(one.answer.runId, former);
    }
  }
  return [...answers.values()]
    .map(({ answer, lastAt, notes }) => ({ ...answer, lastAt, notes: notes.size }))
    .sort((a, b) => b.startedAt - a.startedAt);
}

/** `present`: the text of a note as it is now; null: there is none. */
export async function waysBack(
  list: NoteList,
  runId: string,
  store: Pick<VersionStore, 'text'>,
  present: (path: string) => Promise<string | null>,
): Promise<WayBack[]> {
  const ways: WayBack[] = [];
  for (const record of list.all()) {
    const own = record.entries.filter((entry) => toolsOf(entry, runId).length > 0);
    if (own.length > 0) ways.push(await wayBack(record, own, runId, store, present));
  }
  return ways.sort((a, b) => a.record.path.localeCompare(b.record.path));
}

async function wayBack(
  record: NoteRecord,
  own: readonly Entry[],
  runId: string,
  store: Pick<VersionStore, 'text'>,
  present: (path: string) => Promise<string | null>,
): Promise<WayBack> {
  const tools = own.flatMap((entry) => toolsOf(entry, runId));
  const move = own.find((entry) => entry.kind === 'moved');
  const facts = {
    record,
    tools: [...new Set(tools.map(({ server, tool }) => `${server} · ${tool}`))],
    certain: tools.every(({ certain }) => certain),
    path: move?.kind === 'moved' ? move.from : record.path,
  };
  const of = (kind: WayBack['kind'], then: WayBack['then'] = null): WayBack => ({ ...facts, kind, then });
  const first = own[0];
  const wasMade = first?.kind === 'text' && first.cause === 'created' && record.entries[0] === first;
  const now = record.isGone ? null : await present(record.path);
  if (now === null) {
    const last = record.entries.findLast((entry) => entry.kind !== 'text' || !entry.gone);
    if (wasMade || last?.kind !== 'gone' || !own.includes(last)) return of('nothing');
  }
  if (wasMade && now !== null && (await isLast(record, now, own, store))) return of('created');
  const then = await textBefore(record, own, now, store);
  if (then === null)
    return move && now !== null ? of('moved', { text: now, onDisk: true, others: [] }) : of('unknown');
  if (now === null) return of('deleted', then);
  if (move && record.path !== facts.path) return of('moved', then);
  return of(then.text === now ? 'nothing' : 'text', then);
}

/** Nobody has written in it since the answer. */
async function isLast(
  record: NoteRecord,
  now: string,
  own: readonly Entry[],
  store: Pick<VersionStore, 'text'>,
): Promise<boolean> {
  const newest = newestText(record);
  if (!newest || !own.includes(newest)) return false;
  return (await store.text(newest.object))?.toString('utf8') === now;
}

/** What the note would say without what the answer's tools wrote: whatever others wrote stays. */
async function textBefore(
  record: NoteRecord,
  own: readonly Entry[],
  now: string | null,
  store: Pick<VersionStore, 'text'>,
): Promise<WayBack['then']> {
  const texts = record.entries.filter((entry) => entry.kind === 'text');
  const first = texts.findIndex((entry) => own.includes(entry));
  if (first === -1) {
    const last = newestText(record);
    const text = now ?? (last ? await read(last, store) : null);
    return text === null ? null : { text, onDisk: true, others: [] };
  }
  const isNew = texts[first]?.cause === 'created' && first === 0;
  if (first === 0 && !isNew) return null;
  const before = isNew ? '' : await read(texts[first - 1], store);
  if (before === null) return null;
  const later = await Promise.all(texts.slice(first).map((entry) => read(entry, store)));
  if (later.includes(null)) return null;
  const chain = [before, ...(later as string[]), ...(now === null ? [] : [now])];
  const isOwn = (step: number) => {
    const entry = texts[first + step - 1];
    return entry !== undefined && own.includes(entry);
  };
  const others = chain.some((text, step) => step > 0 && !isOwn(step) && text !== chain[step - 1]);
  if (!others) return { text: before, onDisk: true, others: [] };
  const docs = chain.map((text) => readLines(text).doc);
  const { text, doubtful } = takeBack(docs, isOwn);
  const places = [...writtenByOthers(docs, isOwn), ...doubtful];
  return { text: text.toString(), onDisk: false, others: places };
}

async function read(entry: TextEntry | undefined, store: Pick<VersionStore, 'text'>): Promise<string | null> {
  return entry ? ((await store.text(entry.object))?.toString('utf8') ?? null) : null;
}
