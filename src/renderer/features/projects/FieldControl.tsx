import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { EntityDetail, EntityType } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { Button, Input, Select, TextArea } from '../../ui';
import { PickEntity } from './PickEntity';
import { useProjectsState } from './use-project';
import { fieldWord, priorityWord, statusWord } from './words';

type Field = EntityDetail['fields'][number];
export type FieldValue = Field['value'];

export interface FieldControlProps {
  field: Pick<Field, 'name' | 'kind' | 'options' | 'types'>;
  value: FieldValue;
  /** The entity's own id can't be named by it. */
  self?: string;
  /** What is typed, kept by the form. */
  typed: Typed;
  ties: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean };
  /** Opens the details of an entity that is named. */
  onOpen?(id: string): void;
  /** A list to choose from is shown, or not any more. */
  onChoosing?(isOpen: boolean): void;
  onChange(value: FieldValue): void;
}

export interface Typed {
  /** Null: nothing that differs. */
  readonly text: string | null;
  set(text: string | null): void;
  /** The typing is over for now. */
  leave(): void;
}

const long = new Set(['goal', 'context', 'decision', 'rationale', 'change_summary']);
const nothing = '-';

/** The control that fits what a field holds. Text is handed on when it is left or with Enter. */
export function FieldControl(props: FieldControlProps) {
  const { field, value, ties, onChoosing, onChange } = props;
  switch (field.kind) {
    case 'status':
    case 'priority': {
      const words = field.kind === 'status' ? statusWord : priorityWord;
      const options = field.options ?? [];
      const own = typeof value === 'string' && !options.includes(value) ? [value] : [];
      return (
        <Select
          {...ties}
          size="s"
          value={typeof value === 'string' ? value : nothing}
          options={[
            ...(field.kind === 'priority' ? [{ value: nothing, label: t('detail.noValue') }] : []),
            ...[...options, ...own].map((option) => ({ value: option, label: words(option) })),
          ]}
          {...(onChoosing && { onOpenChange: onChoosing })}
          onChange={(next) => onChange(next === nothing ? null : next)}
        />
      );
    }
    case 'id':
    case 'ids':
      return <Ids {...props} />;
    case 'date':
    case 'list':
    case 'text':
    case 'number':
    case 'text-or-number':
      return <Written {...props} />;
  }
}

export const printed = (value: FieldValue) =>
  Array.isArray(value) ? value.join('\n') : value === null ? '' : String(value);

export function parsed({ kind }: Pick<Field, 'kind'>, text: string): FieldValue {
  const trimmed = text.trim();
  if (kind === 'list') {
    return trimmed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  }
  if (trimmed === '') return null;
  const number = Number(trimmed);
  if (kind === 'number') return Number.isNaN(number) ? trimmed : number;
  return kind === 'text-or-number' && !Number.isNaN(number) ? number : trimmed;
}

function Written(props: FieldControlProps) {
  const { field, value, ties, typed } = props;
  const { text: changed, set, leave } = typed;
  const listId = useId();
  const state = useProjectsState();
  const printedValue = field.kind === 'date' ? printed(value).slice(0, 10) : printed(value);
  const text = changed ?? printedValue;
  const area = field.kind === 'list' || long.has(field.name);
  const shared = {
    ...ties,
    value: text,
    onBlur: leave,
    onChange: (event: { target: { value: string } }) => set(event.target.value),
  };
  if (area) {
    return (
      <TextArea
        {...shared}
        rows={1}
        maxRows={10}
        spellCheck
        placeholder={field.kind === 'list' ? t('detail.addLine') : ''}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) leave();
        }}
      />
    );
  }
  const suggestions = field.name === 'workstream' && state?.kind === 'ready' ? state.workstreams : [];
  return (
    <>
      <Input
        {...shared}
        type={field.kind === 'date' ? 'date' : 'text'}
        inputMode={field.kind === 'number' ? 'decimal' : 'text'}
        list={suggestions.length > 0 ? listId : undefined}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') leave();
        }}
      />
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Ids({ field, value, self, ties, onOpen, onChoosing, onChange }: FieldControlProps) {
  const [picking, setPicking] = useState(false);
  const ids = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  const many = field.kind === 'ids';
  const types: readonly EntityType[] | null = field.types;
  const pick = (isOpen: boolean) => {
    setPicking(isOpen);
    // What is added to a list replaces nothing.
    if (!many) onChoosing?.(isOpen);
  };
  const put = (next: readonly string[]) => onChange(many ? [...next] : (next[0] ?? null));
  return (
    <div className="id-chips">
      {ids.map((id) => (
        <span key={id} className="id-chip">
          <button type="button" onClick={() => onOpen?.(id)} disabled={!onOpen}>
            {id}
          </button>
          <button
            type="button"
            aria-label={t('detail.remove', { id })}
            title={t('detail.remove', { id })}
            onClick={() => put(ids.filter((each) => each !== id))}
          >
            <X size={11} strokeWidth={2} aria-hidden />
          </button>
        </span>
      ))}
      <Button {...ties} size="s" look="quiet" className="id-add" onClick={() => pick(true)}>
        {(many || ids.length === 0) && <Plus size={12} strokeWidth={2} aria-hidden />}
        {many ? t('detail.add') : t('newEntity.pick')}
      </Button>
      {picking && (
        <PickEntity
          title={fieldWord(field.name)}
          types={types}
          without={[...ids, ...(self === undefined ? [] : [self])]}
          onPick={(id) => put(many ? [...ids, id] : [id])}
          onClose={() => pick(false)}
        />
      )}
    </div>
  );
}
