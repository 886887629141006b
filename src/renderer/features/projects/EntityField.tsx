import { useRef } from 'react';
import type { EntityDetail } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { Button, Field } from '../../ui';
import { FieldControl, type FieldValue, printed } from './FieldControl';
import { type SaveField, useFieldDraft } from './use-field-draft';
import { fieldWord } from './words';

interface Props {
  id: string;
  field: EntityDetail['fields'][number];
  /** Of the note as it is known now. */
  revision(): string;
  problem: string | null;
  onOpen(id: string): void;
  onSave: SaveField;
  /** A choice, which is saved at once. */
  onChoose(value: FieldValue, revision: string): void;
}

/** One field of an entity. What is typed stays until it is in the note or is taken back, whatever others write. */
export function EntityField({ id, field, revision, problem, onOpen, onSave, onChoose }: Props) {
  const { value } = field;
  const fieldDraft = useFieldDraft({ id, field, revision, onSave });
  const { draft, isOvertaken, isRestored, why, send, discard, type, leave } = fieldDraft;
  /** Of the note that the person saw when a list to choose from was opened. */
  const opened = useRef<string | null>(null);

  if (field.unread !== null) {
    return (
      <Field label={fieldWord(field.name)} hint={t('detail.onlyInNote')} error={problem}>
        {() => <code className="field-unread">{field.unread}</code>}
      </Field>
    );
  }
  return (
    <Field label={fieldWord(field.name)} error={isOvertaken ? null : (why ?? problem)}>
      {(ties) => (
        <>
          <FieldControl
            field={field}
            value={value}
            self={id}
            ties={ties}
            typed={{ text: draft?.text ?? null, set: type, leave }}
            onOpen={onOpen}
            onChoosing={(isOpen) => {
              opened.current = isOpen ? revision() : null;
            }}
            onChange={(next) => onChoose(next, opened.current ?? revision())}
          />
          {draft && (isOvertaken || draft.why !== null || isRestored) && (
            <FieldOffer
              {...{ isOvertaken, value, why }}
              onSave={() => void send(draft, revision())}
              onDiscard={discard}
            />
          )}
        </>
      )}
    </Field>
  );
}

interface FieldOfferProps {
  isOvertaken: boolean;
  /** As it is in the note. */
  value: FieldValue;
  why: string | null;
  onSave(): void;
  onDiscard(): void;
}

/** What is typed is not in the note: the person says what becomes of it. */
function FieldOffer({ isOvertaken, value, why, onSave, onDiscard }: FieldOfferProps) {
  return (
    <div className="field-offer" role="alert">
      {isOvertaken ? (
        <p>
          {value === null || printed(value) === ''
            ? t('detail.emptiedMeanwhile')
            : t('detail.changedMeanwhile', { value: printed(value) })}
        </p>
      ) : (
        why === null && <p>{t('draft.unsaved')}</p>
      )}
      <Button size="s" onClick={onSave}>
        {t('detail.saveMine')}
      </Button>
      <Button size="s" look="quiet" onClick={onDiscard}>
        {isOvertaken ? t('detail.takeTheirs') : t('detail.discard')}
      </Button>
    </div>
  );
}
