import { dirname } from 'node:path';
import { syncFolder } from '../../../files';

/** What was made, moved or removed there is so on disk when this resolves. */
export async function syncFoldersOf(places: readonly string[]): Promise<void> {
  for (const folder of new Set(places.map(dirname))) await syncFolder(folder);
}
