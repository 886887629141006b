import type { FormEvent } from 'react';
import type { EntityDetail, EntityType } from '../../../contract/projects';
import { workStatuses } from '../../../contract/projects';
import { useAction } from '../../base/core/core';
import { DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Dialog, Field, Input } from '../../ui';
import { FieldControl, type FieldValue, parsed } from './FieldControl';
import { useChoice } from './use-project';
import { fieldWord, typeWord } from './words';
import './detail.css';

type Asked = Pick<EntityDetail['fields'][number], 'name' | 'kind' | 'options' | 'types'>;

const field = (name: string, kind: Asked['kind'], types: EntityType[] | null = null): Asked => ({
  ...{ name, kind, types },
  options:
    kind === 'priority'
      ? ['low', 'medium', 'high', 'critical']
      : kind === 'status'
        ? [...workStatuses]
        : null,
});

/** What is worth asking before there is a note; all else is filled in there. */
const questions: Readonly<Record<EntityType, readonly Asked[]>> = {
  milestone: [field('workstream', 'text'), field('target_date', 'date'), field('priority', 'priority')],
  story: [
    field('parent', 'id', ['milestone']),
    field('workstream', 'text'),
    field('priority', 'priority'),
    field('depends_on', 'ids'),
    field('acceptance_criteria', 'list'),
  ],
  task: [
    field('parent', 'id', ['story', 'milestone']),
    field('workstream', 'text'),
    field('priority', 'priority'),
    field('assignee', 'text'),
    field('estimate_hours', 'number'),
    field('depends_on', 'ids'),
  ],
  decision: [
    field('workstream', 'text'),
    field('context', 'text'),
    field('decision', 'text'),
    field('enables', 'ids'),
    field('supersedes', 'id', ['decision']),
  ],
  document: [field('workstream', 'text'), field('doc_type', 'text'), field('owner', 'text')],
};

const titles = {
  milestone: 'command.newMilestone',
  story: 'command.newStory',
  task: 'command.newTask',
  decision: 'command.newDecision',
  document: 'command.newDocument',
} as const;

interface Filled {
  readonly title: string;
  readonly chosen: Readonly<Record<string, FieldValue>>;
  readonly typed: Readonly<Record<string, string>>;
}

function withText(typed: Filled['typed'], name: string, text: string | null): Filled['typed'] {
  const { [name]: _, ...others } = typed;
  return text === null ? others : { ...others, [name]: text };
}

/** Asks for what a new entity needs, creates its note and opens it. One list of fields from top to bottom. */
export function NewEntity({ type, onClose }: { type: EntityType; onClose(): void }) {
  const workstream = useChoice((choice) => choice.workstream);
  const vault = useLayout((layout) => layout.vault);
  const draft = useFormDraft<Filled>(`new ${vault} ${type}`, { title: '', chosen: {}, typed: {} }, []);
  const { title, chosen, typed } = draft.values;
  const values: Readonly<Record<string, FieldValue>> = {
    workstream,
    ...(questions[type].some(({ kind }) => kind === 'priority') && { priority: 'medium' }),
    ...chosen,
  };
  const create = useAction('projects.create');
  const leaveFor = useLayout((layout) => layout.leaveFor);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === '' || create.isPending) return;
    const answers = questions[type].flatMap((one) => {
      const text = typed[one.name];
      return text === undefined ? [] : [[one.name, parsed(one, text)] as const];
    });
    const data = Object.fromEntries(
      [...Object.entries(values), ...answers].filter(([, value]) => value !== null),
    );
    const making = create.mutateAsync({ type, data: { title: title.trim(), ...data } }).then((note) => {
      draft.discard();
      return note;
    });
    leaveFor(making, 'end');
  };

  return (
    <Dialog
      title={t(titles[type])}
      onClose={onClose}
      footer={
        <>
          <DraftCancel draft={draft} onLeave={onClose} />
          <Button
            look="primary"
            type="submit"
            form="new-entity"
            busy={create.isPending}
            disabled={title.trim() === ''}
          >
            {t('newEntity.create')}
          </Button>
        </>
      }
    >
      <form id="new-entity" className="new-entity" onSubmit={submit} aria-label={typeWord(type)}>
        <DraftNote draft={draft} />
        <Field label={fieldWord('title')}>
          {(ties) => (
            <Input
              {...ties}
              value={title}
              maxLength={300}
              placeholder={t('newEntity.titlePlaceholder')}
              onChange={(event) => draft.set({ title: event.target.value })}
            />
          )}
        </Field>
        <div className="new-entity-fields">
          {questions[type].map((one) => (
            <Field key={one.name} label={fieldWord(one.name)}>
              {(ties) => (
                <FieldControl
                  field={one}
                  value={values[one.name] ?? null}
                  ties={ties}
                  typed={{
                    text: typed[one.name] ?? null,
                    set: (text) => draft.set({ typed: withText(typed, one.name, text) }),
                    leave: () => undefined,
                  }}
                  onChange={(value) => draft.set({ chosen: { ...chosen, [one.name]: value } })}
                />
              )}
            </Field>
          ))}
        </div>
        {create.error && <Callout tone="bad">{failureText(create.error)}</Callout>}
      </form>
    </Dialog>
  );
}
