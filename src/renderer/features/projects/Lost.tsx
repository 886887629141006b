import { failedWith } from '../../../contract/failed-with';
import { useLayout } from '../../base/layout/layout';
import { useVaultEntries } from '../../base/layout/vault-entries';
import { t } from '../../base/text/text';
import { Button, Callout, CopyButton } from '../../ui';
import { Failed } from './Failed';
import { draftKey, useDrafts, useTypedFor } from './use-drafts';
import { fieldWord } from './words';

interface LostProps {
  id: string;
  /** Where its note was; null: it was never seen. */
  path: string | null;
  error: unknown;
  again(): void;
}

/** In place of the details of an entity that cannot be had: what became of its note, and what was typed for it. */
export function Lost({ id, path, error, again }: LostProps) {
  const isThere = useVaultEntries(({ entries }) => path !== null && entries?.has(path) === true);
  const openNote = useLayout((layout) => layout.openNote);
  const isGone =
    failedWith('projects.entity', error, 'project.refused') && error.details.reason === 'not_found';
  return (
    <div className="entity-scroll">
      {!isGone || path === null ? (
        <Failed error={error} again={again} />
      ) : isThere ? (
        <Callout
          tone="bad"
          title={t('detail.unreadable', { id })}
          actions={
            <Button size="s" onClick={() => openNote(path)}>
              {t('detail.openNote')}
            </Button>
          }
        >
          {t('detail.unreadableText', { path })}
        </Callout>
      ) : (
        <Callout tone="bad" title={t('detail.deleted', { id })}>
          {t('detail.deletedText', { path })}
        </Callout>
      )}
      <Typed id={id} />
    </div>
  );
}

function Typed({ id }: { id: string }) {
  const vault = useLayout((layout) => layout.vault);
  const { put } = useDrafts.getState();
  const drafts = useTypedFor(vault, id);
  if (drafts.length === 0) return null;
  return (
    <section className="entity-group" aria-label={t('detail.typed')}>
      <h3>{t('detail.typed')}</h3>
      {drafts.map(([field, { text }]) => (
        <div key={field} className="entity-typed">
          <small className="entity-typed-field">{fieldWord(field)}</small>
          <pre>{text}</pre>
          <CopyButton text={text} />
          <Button size="s" look="quiet" onClick={() => put(draftKey(vault, id, field), null)}>
            {t('draft.discard')}
          </Button>
        </div>
      ))}
    </section>
  );
}
