import { lazy, Suspense, useEffect, useMemo } from 'react';
import type { Connection } from '../../bridge';
import type { AppOperations } from '../../contract/operations';
import { Settings } from '../../contract/settings';
import { DialogAsideProvider, TooltipProvider, UiWordsProvider } from '../ui';
import { ConnectionBanner } from './ConnectionBanner';
import { listenForKeys } from './commands';
import { CoreProvider, usePicture } from './core';
import { ErrorBoundary } from './ErrorBoundary';
import { Screen } from './Screen';
import { t, useLanguage } from './text';
import { useTheme } from './theme';
import './app.css';

const standard = Settings.parse({});
const DialogQuestions = lazy(() =>
  import('../features/elicitation').then((door) => ({ default: door.DialogQuestions })),
);

export function App({ connection }: { connection: Connection<AppOperations> }) {
  // Everything below is rendered again, and nothing taken down, when the language changes.
  useLanguage((state) => state.language);
  return (
    <CoreProvider core={connection.client}>
      <Appearance>
        <div className="app">
          <ConnectionBanner connection={connection} />
          <Screen />
        </div>
      </Appearance>
    </CoreProvider>
  );
}

const Questions = () => (
  <ErrorBoundary>
    <Suspense>
      <DialogQuestions />
    </Suspense>
  </ErrorBoundary>
);

function Appearance({ children }: { children: React.ReactNode }) {
  const settings = usePicture('settings.current', {}) ?? standard;
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
