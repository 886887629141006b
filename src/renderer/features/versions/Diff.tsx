import type { ReactNode } from 'react';
import type { DiffHunk } from '../../../contract/versions';
import { t } from '../../base/text/text';

export interface DiffProps {
  hunks: readonly DiffHunk[];
  label: string;
  /** What can be done with the hunk at this place. */
  action?(at: number): ReactNode;
  /** Hunks that are left as they are. */
  isLeft?(at: number): boolean;
}

const marks = { same: '', gone: '−', new: '+' } as const;

/** Differences by whole lines: what the first text has alone in red, what the second has alone in green. */
export function Diff({ hunks, label, action, isLeft }: DiffProps) {
  return (
    <ol className="diff" aria-label={label}>
      {hunks.map((hunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is what it is known by.
        <li key={at} className="diff-hunk" data-left={isLeft?.(at) || undefined}>
          <header>
            <span>{hunkName(hunk)}</span>
            <Counts added={hunk.new} removed={hunk.gone} />
            {action?.(at)}
          </header>
          <div className="diff-rows">
            {hunk.rows.map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a hunk never move.
              <Row key={number} row={row} />
            ))}
            {hunk.cut > 0 && <p className="diff-cut">{t('versions.cut', { count: hunk.cut })}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

export function hunkName({ line, gone }: DiffHunk): string {
  return gone > 1 ? t('versions.lines', { from: line, to: line + gone - 1 }) : t('versions.line', { line });
}

function Row({ row: { kind, line, parts } }: { row: DiffHunk['rows'][number] }) {
  const Text = kind === 'gone' ? 'del' : kind === 'new' ? 'ins' : 'span';
  return (
    <div className={`diff-row diff-${kind}`}>
      <span className="diff-number">{line}</span>
      <span className="diff-mark" aria-hidden>
        {marks[kind]}
      </span>
      <Text className="diff-text">
        {parts.map(({ text, changed }, at) =>
          changed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a row never move.
            <mark key={at}>{text}</mark>
          ) : (
            text
          ),
        )}
      </Text>
    </div>
  );
}

export function Counts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null || removed === null || added + removed === 0) return null;
  return (
    <span className="diff-counts" role="img" aria-label={t('versions.counts', { added, removed })}>
      {added > 0 && <span className="diff-added">+{added}</span>}
      {removed > 0 && <span className="diff-removed">−{removed}</span>}
    </span>
  );
}
