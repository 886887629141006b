import './versions.css';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { DeletedNote } from '../../../contract/versions';
import { useAction, useAsk, useLatest } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { useWhyNot } from '../../base/core/why-not';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { ago, bytes, folderOf, noteName } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, Dialog, EmptyState } from '../../ui';
import { Forget } from './Forget';
import { StateCallout } from './VersionsPanel';
import { authorsName } from './words';

/** Notes that are gone, with what they last said; each can be brought back. */
export function DeletedNotes({ onClose }: { onClose(): void }) {
  const { item, error } = useLatest('versions.deleted', {});
  const [chosen, setChosen] = useState<string | null>(null);
  const whyNot = useWhyNot();
  const restore = useAction('versions.restoreDeleted', { once: true });
  const leaveFor = useLayout((layout) => layout.leaveFor);
  const current = item?.notes.find(({ id }) => id === chosen) ?? item?.notes[0];
  const bring = ({ id }: DeletedNote) => leaveFor(restore.mutateAsync({ id }), 'kept');
  return (
    <Dialog
      title={t('versions.deleted.title')}
      description={t('versions.deleted.text')}
      size="xl"
      onClose={onClose}
      footer={
        current && (
          <>
            <Forget
              key={current.id}
              what={{ kind: 'deleted', id: current.id }}
              label={t('versions.forget')}
              title={t('versions.forgetDeletedTitle', { note: noteName(current.path) })}
            />
            <Button
              look="primary"
              busy={restore.isPending}
              disabled={whyNot !== undefined}
              title={whyNot}
              onClick={() => bring(current)}
            >
              {t('versions.deleted.restore')}
            </Button>
          </>
        )
      }
    >
      {item && <LastKnown />}
      {item && <StateCallout state={item.state} />}
      {(error !== undefined || restore.error) && (
        <Callout tone="bad">{failureText(restore.error ?? error)}</Callout>
      )}
      {!item && error === undefined && <Awaited />}
      {item?.notes.length === 0 && (
        <EmptyState icon={Trash2} title={t('versions.deleted.none')} text={t('versions.deleted.noneText')} />
      )}
      {item && current && (
        <div className="deleted">
          <ul className="deleted-list">
            {item.notes.map((note) => (
              <li key={note.id}>
                <button
                  type="button"
                  className="ui-choice"
                  aria-current={note === current}
                  onClick={() => setChosen(note.id)}
                >
                  <NoteRow note={note} />
                </button>
              </li>
            ))}
          </ul>
          <LastText key={current.id} note={current} />
        </div>
      )}
    </Dialog>
  );
}

function NoteRow({ note: { path, at, how, by, bytes: size } }: { note: DeletedNote }) {
  const now = useNow(30_000);
  const folder = folderOf(path);
  return (
    <span className="ui-choice-text">
      <span>
        {noteName(path)}
        {folder !== '' && <span className="versions-soft"> {folder}</span>}
      </span>
      <small>
        {t(`versions.deleted.${how}`, { who: authorsName(by), ago: ago(at, now) })} · {bytes(size)}
      </small>
    </span>
  );
}

function LastText({ note: { path, id } }: { note: DeletedNote }) {
  const { data, error } = useAsk('versions.read', { path, id });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <section className="deleted-text" tabIndex={0} aria-label={noteName(path)}>
      {error ? <Callout tone="bad">{failureText(error)}</Callout> : data && <pre>{data.text}</pre>}
    </section>
  );
}
