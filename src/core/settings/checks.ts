import { AppError } from '../../contract/errors';
import { tagName } from '../../contract/providers';
import type { Settings } from '../../contract/settings';
import { newClash, tagTaken } from '../../contract/tag-meanings';
import { expandHome, largestSetting, readFileAtSync } from '../../files';

/** Refuses what the form of the settings allows and would not work. What was so before may stay. */
export function throwUnlessUsable(before: Settings, next: Settings): void {
  const { attachmentsFolder } = next.chat;
  if (attachmentsFolder !== before.chat.attachmentsFolder && leavesVault(attachmentsFolder)) {
    throw invalid([
      'chat.attachmentsFolder: The folder for attachments must lie in the vault, without “..”.',
    ]);
  }
  const { caFile } = next.network;
  const isNewFile = caFile !== before.network.caFile;
  const troubles = isNewFile ? settingsTroubles(next) : [];
  if (troubles.length > 0) throw invalid(troubles);
  const tagsBefore = new Set(before.providers.map(({ tag }) => tag));
  const noTag = next.providers.find(({ tag }) => !tagName.test(tag) && !tagsBefore.has(tag));
  if (noTag) throw invalid([`providers: “${noTag.tag}” cannot be a tag.`]);
  const clash = newClash(before, next);
  if (clash) throw tagTaken(clash);
}

export function invalid(issues: string[]): AppError<'settings.invalid'> {
  return new AppError('settings.invalid', `The settings were not changed. ${issues.join('; ')}`, { issues });
}

/** What was good when it was set and is not now: a file can go. In the form of `settings.invalid`. */
export function settingsTroubles({ network: { caFile } }: Settings): string[] {
  if (holdsCertificates(caFile)) return [];
  return [`network.caFile: There is no file with certificates (PEM) at “${caFile}”.`];
}

/** No file at all is fine. */
function holdsCertificates(path: string): boolean {
  if (path.trim() === '') return true;
  try {
    return readFileAtSync(expandHome(path.trim()), largestSetting).includes('-----BEGIN ');
  } catch {
    return false;
  }
}

/** Also a folder of the app itself, in which nobody looks for pictures. */
const leavesVault = (folder: string) =>
  /(^|[\\/])\.\.([\\/]|$)|^[A-Za-z]:|^[\\/]|^(\.[\\/])*\.[^\\/.]/.test(folder.trim());
