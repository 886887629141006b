import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { X } from 'lucide-react';
import { type ReactNode, useReducer } from 'react';
import type { NoteRun } from '../../../../contract/chat';
import { sentText, type Turn } from '../../../../markdown';
import { useConnected } from '../../../base/core/connected';
import { useLayout } from '../../../base/layout/layout';
import { isLive, phaseWords } from '../../../base/text/run-words';
import { t } from '../../../base/text/text';
import { Button, IconButton } from '../../../ui';
import { Markdown } from '../../../ui/Markdown';
import { useOpenNote } from '../../editor/context/open-notes';
import { type Compared, compareAt, comparedTurns } from './compared';

interface ComparePanelProps {
  path: string;
  run: NoteRun | null;
  view(): EditorView | null;
}

/** Two answers to one question over the note that they stand in, until the person has chosen. */
export function ComparePanel({ path, run, view }: ComparePanelProps) {
  // The note says by itself when its text has changed.
  useOpenNote(path);
  const connected = useConnected();
  const [, closed] = useReducer((times: number) => times + 1, 0);
  const editor = view();
  const turns = editor && comparedTurns(editor.state);
  if (!editor || !turns) return null;
  const { first, second } = turns;
  const stands: Compared = isLive(run) ? 'writing' : second ? 'both' : 'none';

  const close = () => {
    editor.dispatch({ effects: compareAt.of(null) });
    closed();
    editor.focus();
  };
  const drop = (turn: Turn | null) => {
    if (turn) {
      const changes = { from: turn.from, to: turn.to };
      editor.dispatch({ changes, annotations: isolateHistory.of('full'), userEvent: 'delete.answer' });
    }
    close();
  };
  const keep = (other: Turn | null) => (
    <Button size="s" disabled={stands !== 'both'} onClick={() => drop(other)}>
      {t('compare.keep')}
    </Button>
  );
  const text = editor.state.doc.toString();
  const underWay = run && connected ? phaseWords(run, Date.now()) : t('note.notConnected');
  const quiet: Record<Compared, string | null> = {
    writing: underWay,
    none: t('compare.nothing'),
    both: null,
  };
  return (
    <section className="note-compare" aria-label={t('compare.title')}>
      <header>
        <h2>{t('compare.title')}</h2>
        <Button size="s" look="quiet" disabled={stands === 'writing'} onClick={close}>
          {t('compare.both')}
        </Button>
        <IconButton icon={X} label={t('ui.close')} size="s" onClick={close} />
      </header>
      <div className="note-compare-columns">
        <Column tag={first.tag} text={sentText(text, first)} action={keep(second)} />
        <Column
          tag={second?.tag ?? ''}
          text={second ? sentText(text, second) : ''}
          quiet={quiet[stands]}
          action={keep(first)}
        />
      </div>
    </section>
  );
}

interface ColumnProps {
  tag: string;
  text: string;
  quiet?: string | null;
  action: ReactNode;
}

function Column({ tag, text, quiet, action }: ColumnProps) {
  const openLink = useLayout((layout) => layout.askToOpen);
  return (
    <article aria-label={tag}>
      <header>
        <span className="cm-speaker cm-speaker-assistant">{tag}</span>
        {action}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <section className="note-compare-text" tabIndex={0} aria-label={tag}>
        <Markdown text={text} onLink={openLink} />
        {quiet && <p className="note-compare-quiet">{quiet}</p>}
      </section>
    </article>
  );
}
