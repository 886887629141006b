import type { EditorView } from '@codemirror/view';
import { useNoteForm } from '../../editor/context/note-form';
import { holdRange } from '../../editor/insert/held-range';
import { AnswererPicker, ModelChange, ModelPicker } from './AnswererPickers';
import { AttachmentPicker, PromptPicker } from './OfferPickers';
import { PromptForm } from './PromptForm';
import { ResourceForm } from './ResourceForm';
import { SpeakersForm } from './SpeakersForm';

/** What the editor of this note asks for at the moment. */
export function NoteForms({ path, view }: { path: string; view(): EditorView | null }) {
  const { open, close } = useNoteForm();
  const editor = view();
  if (open?.path !== path || !editor) return null;
  const { form } = open;
  const leave = () => {
    close();
    editor.dispatch({ effects: holdRange.of(null) });
  };
  switch (form.kind) {
    case 'choose-prompt':
      return <PromptPicker view={editor} onClose={leave} />;
    case 'choose-attachment':
      return <AttachmentPicker view={editor} onClose={leave} />;
    case 'prompt':
      return <PromptForm view={editor} path={path} {...form} onClose={leave} onDone={close} />;
    case 'speakers':
      return <SpeakersForm view={editor} onClose={leave} />;
    case 'choose-model':
      return <ModelPicker view={editor} {...form} onClose={leave} />;
    case 'change-model':
      return <ModelChange {...form} onClose={leave} />;
    case 'choose-answerer':
      return <AnswererPicker view={editor} {...form} onClose={leave} />;
    case 'resource':
      return <ResourceForm view={editor} {...form} onClose={leave} onDone={close} />;
  }
}
