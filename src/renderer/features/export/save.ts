import type { EditorState } from '@codemirror/state';
import { noteName } from '../../base/text/format';
import { noteContext } from '../editor/context/note-context';
import { conversationOf } from '../editor/reading/conversation';

const largestPicture = 5 * 1024 * 1024;

/** The conversation as JSON lines, handed to the person as a file. False where there is none to write. */
export async function saveJsonLines(state: EditorState): Promise<boolean> {
  const { jsonLines } = await import('./json-lines');
  const lines = jsonLines(state.doc.toString(), conversationOf(state));
  if (lines === '') return false;
  download(`${noteName(state.field(noteContext).path)}.jsonl`, 'application/jsonl', lines);
  return true;
}

export async function saveHtml(state: EditorState): Promise<void> {
  download(`${noteName(state.field(noteContext).path)}.html`, 'text/html', await pageOf(state));
}

/** Through the print dialog of the browser, which also makes PDFs. */
export async function printConversation(state: EditorState): Promise<void> {
  const frame = document.createElement('iframe');
  // No scripts of its own; printing is asked for from here.
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
  frame.className = 'visually-hidden';
  frame.setAttribute('aria-hidden', 'true');
  frame.srcdoc = await pageOf(state);
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  frame.contentWindow?.print();
  // Whoever prints without a pause still needs it for a moment.
  setTimeout(() => frame.remove(), 60_000);
}

async function pageOf(state: EditorState): Promise<string> {
  const { conversationPage } = await import('./html');
  const title = noteName(state.field(noteContext).path);
  return conversationPage(title, state.doc.toString(), conversationOf(state), imageOf(state));
}

const imageOf =
  (state: EditorState) =>
  async (target: string): Promise<string | null> => {
    try {
      const response = await fetch(await state.field(noteContext).actions.imageAddress(target));
      const blob = response.ok ? await response.blob() : null;
      if (!blob || blob.size > largestPicture || !/^image\/(png|jpeg|gif|webp)$/.test(blob.type)) return null;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let binary = '';
      for (let at = 0; at < bytes.length; at += 8192)
        binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return `data:${blob.type};base64,${btoa(binary)}`;
    } catch {
      return null;
    }
  };

function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
