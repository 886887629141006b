import { useRef, useState } from 'react';
import type { EntityDetail } from '../../../contract/projects';
import { useCore } from '../../app/core';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { Field } from '../../ui';
import { FieldControl, type FieldValue } from './FieldControl';
import { fieldWord } from './words';

const always = new Set(['title', 'status', 'priority', 'workstream', 'parent', 'depends_on']);

const isEmpty = (value: FieldValue) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Every field that may be written; each is saved by itself. What is refused stays as it was and says why. */
export function EntityFields({ detail, onOpen }: { detail: EntityDetail; onOpen(id: string): void }) {
  const core = useCore();
  const { entity, fields } = detail;
  const [problem, setProblem] = useState<{ field: string; why: string; times: number } | null>(null);
  const [all, setAll] = useState(false);
  // Own changes follow each other faster than the news of them arrives.
  const written = useRef(entity);
  if (entity.updated >= written.current.updated) written.current = entity;

  async function save(field: string, value: FieldValue): Promise<void> {
    setProblem(null);
    try {
      const { entity: after } = await core.call('projects.update', {
        id: entity.id,
        data: { [field]: value },
        revision: written.current.revision,
      });
      written.current = after;
    } catch (error) {
      setProblem((before) => ({ field, why: failureText(error), times: (before?.times ?? 0) + 1 }));
    }
  }

  const offered = fields.filter(({ name, types }) => name !== 'parent' || types === null || types.length > 0);
  const shown = offered.filter(({ name, value }) => all || always.has(name) || !isEmpty(value));
  const hidden = offered.length - shown.length;
  return (
    <section className="entity-fields" aria-label={t('detail.fields')}>
      {shown.map((field) => (
        <Field
          key={`${field.name} ${problem?.field === field.name ? problem.times : ''}`}
          label={fieldWord(field.name)}
          error={problem?.field === field.name ? problem.why : null}
        >
          {(ties) => (
            <FieldControl
              field={field}
              value={field.value}
              self={entity.id}
              ties={ties}
              onOpen={onOpen}
              onChange={(value) => void save(field.name, value)}
            />
          )}
        </Field>
      ))}
      {hidden > 0 && (
        <button type="button" className="text-link entity-more" onClick={() => setAll(true)}>
          {t('detail.moreFields', { n: hidden })}
        </button>
      )}
    </section>
  );
}
