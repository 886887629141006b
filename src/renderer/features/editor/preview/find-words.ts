import { t } from '../../../base/text/text';

/** What the editor's own find panel and lists say, by the words that it looks them up with. */
export function findWords(): Record<string, string> {
  return {
    Find: t('find.find'),
    Replace: t('find.replaceWith'),
    next: t('find.next'),
    previous: t('find.previous'),
    all: t('find.all'),
    'match case': t('find.matchCase'),
    regexp: t('find.pattern'),
    'by word': t('find.wholeWords'),
    replace: t('find.replace'),
    'replace all': t('find.replaceAll'),
    close: t('ui.close'),
    'Go to line': t('find.goToLine'),
    go: t('find.go'),
    'current match': t('find.current'),
    'on line': t('find.onLine'),
    'replaced $ matches': t('find.replaced'),
    Completions: t('find.completions'),
    'replaced match on line $': t('find.replacedOne'),
  };
}
