import type { ProviderEntry } from '../../../contract/providers';
import type { Settings } from '../../../contract/settings';
import { newClash, tagTaken } from '../../../contract/tag-meanings';
import { failureText } from '../../base/text/error-words';

/** What else the tag means, in words; null: nothing, or it was so before. */
export function clashOf(
  tag: string,
  provider: ProviderEntry | null,
  settings: Settings | undefined,
): string | null {
  if (!settings || tag === provider?.tag) return null;
  const id = provider?.id ?? 'new';
  const others = settings.providers.filter((one) => one.id !== id);
  const clash = newClash(settings, {
    ...settings,
    providers: [...others, { id, vendor: '', model: '', tag }],
  });
  return clash && failureText(tagTaken(clash));
}
