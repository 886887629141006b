import './versions.css';
import './recovery.css';
import { LifeBuoy } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { RecoveredText, RecoveryList, RecoveryPart } from '../../../contract/recovery';
import { useLatest } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { ago, folderOf, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Badge, Callout, Dialog, EmptyState, rowAfterKey } from '../../ui';
import { RecoveredActions, useRestoring } from './RecoveredActions';
import { RecoveredDetail } from './RecoveredDetail';
import type { RecoveryView } from './recovery-words';

/** What of one text is looked at, and how. */
interface Choice {
  readonly id: string;
  readonly part: RecoveryPart | null;
  readonly view: RecoveryView;
}

/** Text that has no place in a note by itself. `about`: where the one lies, or the note, that is shown first. */
export function RecoveredTexts({ about, onClose }: { about: string | null; onClose(): void }) {
  const { item, error } = useLatest('recovery.list', {});
  const [chosen, setChosen] = useState<string | null>(null);
  const [choice, setChoice] = useState<Choice | null>(null);
  const restoring = useRestoring(({ id }) => setChoice({ ...choiceFor(id), view: 'compare' }));
  const texts = item?.texts ?? [];
  const first = about === null ? undefined : texts.find((text) => isAbout(text, about));
  const current = texts.find(({ id }) => id === chosen) ?? first ?? texts[0];
  const choiceFor = (id: string): Choice => (choice?.id === id ? choice : { id, part: null, view: 'text' });
  const parts = current?.parts.map(({ part }) => part) ?? [];
  const { part: chosenPart, view } = choiceFor(current?.id ?? '');
  const part = parts.find((one) => one === chosenPart) ?? parts[0] ?? null;
  return (
    <Dialog
      title={t('recovery.title')}
      description={t('recovery.text')}
      size="xl"
      onClose={onClose}
      footer={current && <RecoveredActions text={current} part={part} restoring={restoring} />}
    >
      {error !== undefined && <Callout tone="bad">{failureText(error)}</Callout>}
      {!item && error === undefined && <Awaited />}
      {item && <LastKnown />}
      {item && texts.length === 0 && (
        <EmptyState icon={LifeBuoy} title={t('recovery.none')} text={t('recovery.noneText')} />
      )}
      {item && current && (
        <div className="recovery">
          <nav className="recovery-side" aria-label={t('recovery.list')} onKeyDown={stepThrough}>
            <ul className="deleted-list">
              {texts.map((text) => (
                <li key={text.id}>
                  <button
                    type="button"
                    className="ui-choice"
                    aria-current={text === current}
                    onClick={() => setChosen(text.id)}
                  >
                    <Row text={text} />
                  </button>
                </li>
              ))}
            </ul>
            <Others others={item.others} />
          </nav>
          <RecoveredDetail
            key={current.id}
            text={current}
            part={part}
            view={view}
            outcome={restoring.outcome(current)}
            onPart={(next) => setChoice({ ...choiceFor(current.id), part: next })}
            onView={(next) => setChoice({ ...choiceFor(current.id), view: next })}
          />
        </div>
      )}
      {item && !current && <Others others={item.others} />}
    </Dialog>
  );
}

function Others({ others }: { others: RecoveryList['others'] }) {
  if (others.length === 0) return null;
  const vaults = others.map(({ vault, count }) => t('recovery.other', { vault: visible(vault), count }));
  return <p className="versions-quiet recovery-others">{t('recovery.others', { vaults: listed(vaults) })}</p>;
}

const isAbout = ({ place, note }: RecoveredText, about: string) => note === about || about.startsWith(place);

/** Arrow keys go from one to the next. */
function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  const next = buttons[rowAfterKey(event.key, at, buttons.length) ?? -1];
  if (!next) return;
  next.focus();
  next.click();
  event.preventDefault();
}

function Row({ text: { name, note, reason, at, restored } }: { text: RecoveredText }) {
  const now = useNow(30_000);
  const folder = note === null ? '' : folderOf(note);
  return (
    <span className="ui-choice-text">
      <span>
        {visible(name)}
        {folder !== '' && <span className="versions-soft"> {visible(folder)}</span>}
      </span>
      <small>
        {t(`recovery.short.${reason}`)} · {ago(at, now)}
        {restored && (
          <>
            {' '}
            <Badge tone="good">{t('recovery.isRestored')}</Badge>
          </>
        )}
      </small>
    </span>
  );
}
