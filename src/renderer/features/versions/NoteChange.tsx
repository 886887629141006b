import { FileQuestion } from 'lucide-react';
import type { NoteBefore } from '../../../contract/versions';
import { folderOf, noteName } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Badge } from '../../ui';
import { canComeBack, diffOf, hunkKey, isAllLeft } from './chosen';
import { Counts, Diff, hunkName } from './Diff';

/** What an answer's tools did to a note, and what of it is to come back. */
export function NoteChange({
  note,
  left,
  onToggle,
}: {
  note: NoteBefore;
  left: ReadonlySet<string>;
  onToggle(keys: readonly string[]): void;
}) {
  const { path, change, tools, certain } = note;
  const diff = diffOf(note);
  const isOff = left.has(note.note) || isAllLeft(note, left);
  const whole = [
    ...(left.has(note.note) || !isOff ? [note.note] : []),
    ...(isAllLeft(note, left) ? (diff?.hunks ?? []).map((_, at) => hunkKey(note, at)) : []),
  ];
  const folder = folderOf(path);
  const name = noteName(path);
  return (
    <article className="before-note" data-left={isOff || undefined}>
      <header>
        <input
          type="checkbox"
          aria-label={t('versions.before.whole', { note: name })}
          checked={canComeBack(note) && !isOff}
          disabled={!canComeBack(note)}
          onChange={() => onToggle(whole)}
        />
        <div className="before-name">
          <h3>
            {name}
            {folder !== '' && <span className="versions-soft"> {folder}</span>}
          </h3>
          <small>
            {t(certain ? 'versions.before.by' : 'versions.before.while', {
              tools: tools.map(visible).join(', '),
            })}
          </small>
        </div>
        {diff && (
          <Counts
            added={diff.hunks.reduce((sum, hunk) => sum + hunk.new, 0)}
            removed={diff.hunks.reduce((sum, hunk) => sum + hunk.gone, 0)}
          />
        )}
        <ChangeBadge change={change} />
      </header>
      <Doubts note={note} />
      {diff && diff.hunks.length > 0 && (
        <Diff
          hunks={diff.hunks}
          label={name}
          isLeft={(at) => isOff || left.has(hunkKey(note, at))}
          action={(at) => {
            const hunk = diff.hunks[at];
            const key = hunkKey(note, at);
            return (
              <>
                <input
                  type="checkbox"
                  aria-label={`${name}: ${hunk ? hunkName(hunk) : ''}`}
                  checked={!isOff && !left.has(key)}
                  disabled={left.has(note.note)}
                  onChange={() => onToggle([key])}
                />
                {hunk?.others && <Badge tone="warn">{t('versions.before.others')}</Badge>}
              </>
            );
          }}
        />
      )}
    </article>
  );
}

/** What is not known of the change. */
function Doubts({ note }: { note: NoteBefore }) {
  const { change, certain } = note;
  return (
    <>
      {!certain && canComeBack(note) && (
        <p className="before-unknown">
          <FileQuestion size={14} aria-hidden />
          {t(change.kind === 'created' ? 'versions.before.uncertainMade' : 'versions.before.uncertain')}
        </p>
      )}
      {change.kind === 'unknown' && (
        <p className="before-unknown">
          <FileQuestion size={14} aria-hidden /> {t('versions.before.unknownText')}
        </p>
      )}
    </>
  );
}

function ChangeBadge({ change }: { change: NoteBefore['change'] }) {
  switch (change.kind) {
    case 'text':
      return <Badge>{t('versions.before.changed', { count: change.diff.hunks.length })}</Badge>;
    case 'created':
      return <Badge tone="warn">{t('versions.before.created')}</Badge>;
    case 'deleted':
      return <Badge tone="good">{t('versions.before.deleted')}</Badge>;
    case 'moved':
      return <Badge tone="accent">{t('versions.before.moved', { path: change.back })}</Badge>;
    case 'unknown':
      return <Badge tone="bad">{t('versions.before.unknown')}</Badge>;
    case 'nothing':
      return <Badge>{t('versions.before.nothing')}</Badge>;
  }
}
