import './versions.css';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { OutputOf } from '../../../contract/define';
import type { AppOperations } from '../../../contract/operations';
import type { ChangingAnswer, NoteBefore } from '../../../contract/versions';
import { useAction, useAsk } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { Awaited } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { noteName } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, Dialog, EmptyState } from '../../ui';
import { canComeBack, diffOf, hunkKey, isAllLeft, leftOf } from './chosen';
import { NoteChange } from './NoteChange';
import { StateCallout } from './VersionsPanel';
import { whenWords } from './words';

const fresh = { staleTime: 0, gcTime: 0 };

/** All notes that an answer's tools changed: what is left checked comes back to how it was before. */
export function BeforeAnswer({ runId, onClose }: { runId: string | null; onClose(): void }) {
  const [chosen, setChosen] = useState(runId);
  return chosen === null ? (
    <PickAnswer onPick={setChosen} onClose={onClose} />
  ) : (
    <RestoreBefore runId={chosen} onClose={onClose} />
  );
}

function PickAnswer({ onPick, onClose }: { onPick(runId: string): void; onClose(): void }) {
  const { data, error } = useAsk('versions.answers', {}, fresh);
  return (
    <Dialog
      title={t('versions.before.title')}
      description={t('versions.before.pick')}
      size="l"
      onClose={onClose}
    >
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      {!data && !error && <Awaited />}
      {data?.length === 0 && (
        <EmptyState icon={Undo2} title={t('versions.before.none')} text={t('versions.before.noneText')} />
      )}
      <ul className="before-answers">
        {data?.map((answer) => (
          <li key={answer.runId}>
            <button type="button" className="ui-choice" onClick={() => onPick(answer.runId)}>
              <AnswerText answer={answer} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function AnswerText({ answer: { model, note, startedAt, notes } }: { answer: ChangingAnswer }) {
  const now = useNow(60_000);
  return (
    <span className="ui-choice-text">
      <span>{noteName(note)}</span>
      <small>
        {visible(model)} · {whenWords(startedAt, now)} · {t('versions.before.notes', { count: notes })}
      </small>
    </span>
  );
}

function RestoreBefore({ runId, onClose }: { runId: string; onClose(): void }) {
  const { data, error } = useAsk('versions.beforeAnswer', { runId }, fresh);
  const restore = useAction('versions.restoreBeforeAnswer', { once: true });
  const now = useNow(60_000);
  const { notes, left: excluded, toggle, selection } = useSelection(data?.notes ?? []);
  const bring = () => restore.mutate({ runId, notes: selection });
  const answer = data?.answer;
  return (
    <Dialog
      title={t('versions.before.title')}
      description={
        answer
          ? t('versions.before.answerOf', {
              model: visible(answer.model),
              note: noteName(answer.note),
              when: whenWords(answer.startedAt, now),
            })
          : t('versions.before.text')
      }
      size="xl"
      onClose={onClose}
      footer={
        restore.data ? (
          <Button look="primary" onClick={onClose}>
            {t('ui.close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('ui.cancel')}</Button>
            <Button look="primary" busy={restore.isPending} disabled={selection.length === 0} onClick={bring}>
              {t('versions.before.restore', { count: selection.length })}
            </Button>
          </>
        )
      }
    >
      {(error || restore.error) && <Callout tone="bad">{failureText(restore.error ?? error)}</Callout>}
      {!data && !error && <Awaited />}
      {data && <StateCallout state={data.state} />}
      {data && notes.length === 0 && (
        <EmptyState icon={Undo2} title={t('versions.before.none')} text={t('versions.before.noneOfThis')} />
      )}
      {restore.data ? (
        <Result result={restore.data} />
      ) : (
        notes.length > 0 && (
          <>
            <p className="versions-quiet before-text">
              {t('versions.before.text')} {t('versions.legend')}
            </p>
            <ul className="before-notes">
              {notes.map((note) => (
                <li key={note.note}>
                  <NoteChange note={note} left={excluded} onToggle={toggle} />
                </li>
              ))}
            </ul>
          </>
        )
      )}
    </Dialog>
  );
}

/** What of the notes comes back; all of it, unless the person says otherwise. */
function useSelection(notes: readonly NoteBefore[]) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = (keys: readonly string[]) =>
    setToggled(
      (before) => new Set([...before, ...keys].filter((key) => before.has(key) !== keys.includes(key))),
    );
  const excluded = leftOf(notes, toggled);
  const chosen = notes.filter(
    (note) => canComeBack(note) && !excluded.has(note.note) && !isAllLeft(note, excluded),
  );
  const selection = chosen.map((note) => {
    const diff = diffOf(note);
    const hunks = diff?.hunks.map((_, at) => at).filter((at) => !excluded.has(hunkKey(note, at))) ?? [];
    return {
      note: note.note,
      basis: diff?.basis ?? null,
      hunks: diff && hunks.length < diff.hunks.length ? hunks : null,
    };
  });
  return { notes, left: excluded, toggle, selection };
}

function Result({ result }: { result: OutputOf<AppOperations['versions.restoreBeforeAnswer']> }) {
  const successes = result.notes.filter(({ problem }) => problem === null);
  return (
    <div className="before-result">
      {successes.length > 0 && (
        <Callout tone="good" title={t('versions.before.done', { count: successes.length })}>
          {t('versions.before.doneText')}
        </Callout>
      )}
      {result.notes.map(
        ({ note, path, problem }) =>
          problem !== null && (
            <Callout key={note} tone="bad" title={noteName(path)}>
              {t('versions.before.problem', { problem })}
            </Callout>
          ),
      )}
      <ul className="before-done">
        {successes.map(({ note, path }) => (
          <li key={note}>{noteName(path)}</li>
        ))}
      </ul>
    </div>
  );
}
