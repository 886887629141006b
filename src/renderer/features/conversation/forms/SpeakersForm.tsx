import { isolateHistory } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { t } from '../../../base/text/text';
import { Button, Dialog, EmptyState, Field, Select } from '../../../ui';
import { noteContext } from '../../editor/context/note-context';
import { findSpeakers, speakersReplaced } from './speakers';

const nobody = '-';

/** Which name of a transcript is whose tag. */
export function SpeakersForm({ view, onClose }: { view: EditorView; onClose(): void }) {
  const speakers = useMemo(() => findSpeakers(view.state), [view]);
  const { tags } = view.state.field(noteContext);
  const all = [...tags.user, ...tags.assistant, ...tags.system];
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() => {
    const [first, second] = speakers;
    const guess: Record<string, string> = {};
    if (first && tags.user[0]) guess[first.name] = tags.user[0];
    if (second && tags.assistant[0]) guess[second.name] = tags.assistant[0];
    return guess;
  });
  const replace = () => {
    const tagByName = new Map(Object.entries(chosen).filter(([, tag]) => tag !== nobody));
    onClose();
    requestAnimationFrame(() => {
      const changes = speakersReplaced(view.state, tagByName);
      view.dispatch({ changes, annotations: isolateHistory.of('full'), userEvent: 'input.tag' });
      view.focus();
    });
  };
  const options = [
    { value: nobody, label: t('speakers.leave') },
    ...all.map((tag) => ({ value: tag, label: `#${tag}` })),
  ];
  return (
    <Dialog
      title={t('note.command.speakers')}
      description={t('speakers.text')}
      size="s"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" disabled={speakers.length === 0} onClick={replace}>
            {t('speakers.replace')}
          </Button>
        </>
      }
    >
      {speakers.length === 0 && (
        <EmptyState icon={Users} title={t('speakers.none')} text={t('speakers.noneText')} />
      )}
      <div className="note-form">
        {speakers.map(({ name, times }) => (
          <Field key={name} row label={name} hint={t('speakers.times', { count: times })}>
            {(ties) => (
              <Select
                {...ties}
                value={chosen[name] ?? nobody}
                options={options}
                onChange={(tag) => setChosen((now) => ({ ...now, [name]: tag }))}
              />
            )}
          </Field>
        ))}
      </div>
    </Dialog>
  );
}
