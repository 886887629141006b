import { createContext, type ReactNode, useContext } from 'react';

const AsideContext = createContext<ReactNode>(null);

/** What has to stay within reach while a dialog shuts off the rest of the page. */
export function DialogAsideProvider({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return <AsideContext value={aside}>{children}</AsideContext>;
}

export const useDialogAside = () => useContext(AsideContext);
