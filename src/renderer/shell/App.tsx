import { Suspense, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Settings } from '../../contract/settings';
import { Connected, connectionIs } from '../base/core/connected';
import { CoreProvider, useCoreState } from '../base/core/core';
import { listenForKeys } from '../base/keyboard/commands';
import { useTheme } from '../base/layout/theme';
import { ErrorBoundary } from '../base/parts/ErrorBoundary';
import { t, useLanguage } from '../base/text/text';
import { thisWindow } from '../base/window/this-window';
import { DialogAsideProvider, preloaded, TooltipProvider, UiWordsProvider } from '../ui';
import { ConnectionBanner } from './ConnectionBanner';
import type { PageConnection } from './connect';
import { Entry } from './Entry';
import { Screen } from './Screen';
import './app.css';

const standard = Settings.parse({});
const DialogQuestions = preloaded(() =>
  import('../features/elicitation').then((door) => door.DialogQuestions),
);

export function App({ connection }: { connection: PageConnection }) {
  // Everything below is rendered again, and nothing taken down, when the language changes.
  useLanguage((state) => state.language);
  const stranger = useStranger(connection);
  const connected = useIsConnected(connection);
  useEffect(() => {
    const over = new AbortController();
    void thisWindow.live(connection.client, over.signal);
    return () => over.abort();
  }, [connection.client]);
  return (
    <CoreProvider core={connection.client}>
      <Appearance>
        <div className="app" data-alone={!connected || undefined}>
          {stranger ? (
            <Entry connection={connection} />
          ) : (
            <>
              <ConnectionBanner connection={connection} />
              <Connected value={connected}>
                <ErrorBoundary>
                  <Screen />
                </ErrorBoundary>
              </Connected>
            </>
          )}
        </div>
      </Appearance>
    </CoreProvider>
  );
}

function useIsConnected({ state }: PageConnection): boolean {
  const is = useSyncExternalStore(state.onChange, () => state.get().kind === 'connected');
  useLayoutEffect(() => connectionIs(is), [is]);
  return is;
}

/** Whether this page was refused before it was ever let in: it has nothing to show yet. */
function useStranger({ state }: PageConnection): boolean {
  const { kind } = useSyncExternalStore(state.onChange, state.get);
  const [been, setBeen] = useState<'nowhere' | 'refused' | 'inside'>('nowhere');
  if (kind === 'connected' && been !== 'inside') setBeen('inside');
  if (kind === 'refused' && been === 'nowhere') setBeen('refused');
  return been === 'refused';
}

const Questions = () => (
  <ErrorBoundary>
    <Suspense>
      <DialogQuestions />
    </Suspense>
  </ErrorBoundary>
);

function Appearance({ children }: { children: React.ReactNode }) {
  const settings = useCoreState('settings.current', {}) ?? standard;
  const { language, choose } = useLanguage();
  useTheme(settings.theme, settings.fontSize);
  useEffect(() => choose(settings.language), [choose, settings.language]);
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  }, [language]);
  useEffect(() => listenForKeys(window), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words change with the language.
  const words = useMemo(
    () => ({
      close: t('ui.close'),
      copy: t('ui.copy'),
      copied: t('ui.copied'),
      loading: t('ui.loading'),
      remoteImage: t('ui.remoteImage'),
    }),
    [language],
  );
  return (
    <UiWordsProvider words={words}>
      <TooltipProvider>
        <DialogAsideProvider aside={<Questions />}>{children}</DialogAsideProvider>
      </TooltipProvider>
    </UiWordsProvider>
  );
}
