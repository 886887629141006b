import { createContext, type ReactNode, useContext } from 'react';

/** The few words that primitives say themselves; the app gives them in its language. */
export interface UiWords {
  readonly close: string;
  readonly copy: string;
  readonly copied: string;
  readonly loading: string;
  readonly remoteImage: string;
}

const english: UiWords = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading',
  remoteImage: 'Picture on the web',
};

const WordsContext = createContext(english);

export function UiWordsProvider({ words, children }: { words: UiWords; children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>;
}

export const useUiWords = () => useContext(WordsContext);
