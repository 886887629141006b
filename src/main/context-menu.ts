import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron';

/** What a right click on text offers where the page has no menu of its own. */
export function contextMenuTemplate(
  { isEditable, editFlags, selectionText, misspelledWord, dictionarySuggestions }: ContextMenuParams,
  actions: { replace(word: string): void; learn(word: string): void },
): MenuItemConstructorOptions[] {
  const spelling: MenuItemConstructorOptions[] =
    isEditable && misspelledWord !== ''
      ? [
          ...dictionarySuggestions.map((word) => ({ label: word, click: () => actions.replace(word) })),
          { label: 'Add to dictionary', click: () => actions.learn(misspelledWord) },
          { type: 'separator' },
        ]
      : [];
  if (!isEditable && selectionText.trim() === '') return [];
  return [
    ...spelling,
    ...(isEditable ? [{ role: 'cut' as const, enabled: editFlags.canCut }] : []),
    { role: 'copy', enabled: editFlags.canCopy },
    ...(isEditable ? [{ role: 'paste' as const, enabled: editFlags.canPaste }] : []),
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}

export function addContextMenu(
  webContents: Pick<WebContents, 'on' | 'replaceMisspelling' | 'session'>,
  popup: (template: MenuItemConstructorOptions[]) => void,
): void {
  webContents.on('context-menu', (_event, params) => {
    const template = contextMenuTemplate(params, {
      replace: (word) => webContents.replaceMisspelling(word),
      learn: (word) => void webContents.session.addWordToSpellCheckerDictionary(word),
    });
    if (template.length > 0) popup(template);
  });
}
