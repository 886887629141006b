import { nameTrouble } from '../../../contract/file-names';
import { t } from './text';

/** Why a name that is fine here can't be used on other systems; empty where it can. */
export function nameHint(path: string): string {
  for (const name of path.split('/')) {
    const trouble = nameTrouble(name);
    switch (trouble?.kind) {
      case undefined:
        continue;
      case 'character':
        return t('name.character', { name, character: trouble.character });
      case 'reserved':
      case 'dot-at-end':
      case 'blank-at-end':
        return t(`name.${trouble.kind}`, { name });
    }
  }
  return '';
}
