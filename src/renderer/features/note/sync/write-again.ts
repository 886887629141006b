import { type LinkState, ofVault, settled } from './link-state';

/** A note that is gone is put at its place again, with what is shown here; one that is there is saved. One try at a time. */
export function createWriteAgain(link: LinkState): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= writeAgain(link).finally(() => {
      running = null;
    });
    return running;
  };
}

async function writeAgain(link: LinkState): Promise<void> {
  const { parts, sync, stream } = link;
  const heldText = sync.held();
  if (!link.missing.isGone() || !heldText)
    return void (await parts.core.call('notes.save', { path: link.path }));
  // Found before it is known to be this one, it would be another note.
  stream.current().abort();
  const text = parts.editor.state.doc.toString();
  try {
    const words = { base: heldText.confirmed, text, ...ofVault(link) };
    const result = await parts.core.call('versions.writeAgain', { path: link.path, ...words });
    if (result.path !== link.path) {
      link.path = result.path;
      parts.onRenamed(result.path, false);
    }
    sync.stands();
  } catch (error) {
    sync.lost();
    throw error;
  }
  settled(link);
}
