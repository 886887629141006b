import { useRef, useState } from 'react';
import type { EntityBrief, EntityDetail } from '../../../contract/projects';
import { useCore } from '../../base/core/core';
import { useForgetsMissed } from '../../base/core/missed';
import { untilSent } from '../../base/core/unsent';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { EntityField } from './EntityField';
import type { FieldValue } from './FieldControl';
import { useTypedFor } from './use-drafts';

const always = new Set(['title', 'status', 'priority', 'workstream', 'parent', 'depends_on']);

const isEmpty = (value: FieldValue) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Every field that may be written; each is saved by itself. */
export function EntityFields({ detail, onOpen }: { detail: EntityDetail; onOpen(id: string): void }) {
  const core = useCore();
  const { entity, fields } = detail;
  /** Of the note as it was then. */
  const [problem, setProblem] = useState<{ field: string; why: string; revision: string } | null>(null);
  const failed = useForgetsMissed(() => setProblem(null));
  const [all, setAll] = useState(false);
  // Own changes follow each other faster than the news of them arrives.
  const newest = useRef<EntityBrief>(entity);
  const [own, setOwn] = useState<Readonly<Record<string, FieldValue>>>({});
  const isKnown = entity.updated >= newest.current.updated;
  if (isKnown) newest.current = entity;

  async function save(field: string, value: FieldValue, revision: string): Promise<string> {
    const data = { [field]: value };
    const { entity: after } = await untilSent(
      core.call('projects.update', { id: entity.id, data, revision }),
    );
    newest.current = after;
    setOwn((before) => ({ ...(isKnown ? {} : before), ...data }));
    return after.revision;
  }

  async function choose(field: string, value: FieldValue, revision: string): Promise<void> {
    setProblem(null);
    try {
      await save(field, value, revision);
    } catch (error) {
      failed(error);
      setProblem({ field, why: failureText(error), revision: newest.current.revision });
    }
  }

  const offered = fields
    .filter(({ name, types }) => name !== 'parent' || types === null || types.length > 0)
    .map((field) => ({
      ...field,
      value: isKnown || !(field.name in own) ? field.value : (own[field.name] ?? null),
    }));
  const typed = new Map(
    useTypedFor(
      useLayout((layout) => layout.vault),
      entity.id,
    ),
  );
  const visibleFields = offered.filter(
    ({ name, value, unread }) =>
      all || always.has(name) || typed.has(name) || !isEmpty(value) || unread !== null,
  );
  const hidden = offered.length - visibleFields.length;
  return (
    <section className="entity-fields" aria-label={t('detail.fields')}>
      {visibleFields.map((field) => (
        <EntityField
          key={field.name}
          id={entity.id}
          field={field}
          revision={() => newest.current.revision}
          problem={problem?.field === field.name && problem.revision === entity.revision ? problem.why : null}
          onOpen={onOpen}
          onSave={save}
          onChoose={(value, revision) => void choose(field.name, value, revision)}
        />
      ))}
      {hidden > 0 && (
        <button type="button" className="text-link entity-more" onClick={() => setAll(true)}>
          {t('detail.moreFields', { count: hidden })}
        </button>
      )}
    </section>
  );
}
