import { useEffect } from 'react';
import { useLayout } from '../base/layout/layout';
import { useLanguage } from '../base/text/text';
import { visible } from '../base/text/visible';
import { tabName } from './TabBar';

const app = 'Interlinear';

/** Windows are told apart by what they show: the note or page, and the vault. */
export function useWindowTitle(vault: string): void {
  const tab = useLayout(({ tabs, activeTab }) => tabs.find(({ id }) => id === activeTab));
  // The names of pages change with it.
  useLanguage((state) => state.language);
  const names = tab ? [tabName(tab), vault] : [vault];
  const title = [...names.map(visible), app].join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(
    () => () => {
      document.title = app;
    },
    [],
  );
}
