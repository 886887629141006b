import { Suspense, useEffect, useState } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { VaultState } from '../../contract/vault';
import { EntityKnowledge } from '../base/core/entities';
import { useKnownVault } from '../base/core/open-vault';
import { focusTab, useKeptFocus } from '../base/keyboard/keep-focus';
import { useTypedForNote } from '../base/keyboard/typed-for-note';
import { useActiveNote, useLayout } from '../base/layout/layout';
import { ErrorBoundary } from '../base/parts/ErrorBoundary';
import { t } from '../base/text/text';
import { panelSizes } from '../base/window/this-window';
import { Files } from '../features/vault';
import { preloaded } from '../ui';
import { Banners } from './Banners';
import { useWorkbenchCommands } from './commands-and-keys';
import { Modals } from './Modals';
import { NoteToCome } from './NoteToCome';
import { Ribbon } from './Ribbon';
import { RightPanel } from './RightPanel';
import { StatusBar } from './StatusBar';
import { TabArea } from './TabArea';
import { useWindowTitle } from './window-title';

const UnsentNotes = preloaded(() => import('../features/note').then((door) => door.UnsentNotes));

/** The frame of the window: one list of its areas from left to right. */
export function Workbench({
  vault,
  lost,
}: {
  vault: Extract<VaultState, { kind: 'open' }>;
  /** Its folder is away just now. */
  lost: Extract<VaultState, { kind: 'lost' }> | null;
}) {
  const { leftOpen } = useLayout();
  const note = useActiveNote();
  const rightOpen = useLayout((layout) => layout.rightOpen) && note !== null;
  useWorkbenchCommands();
  useKeptFocus();
  useTypedForNote();
  useWindowTitle(vault.name);
  const [openedHere] = useState(() => {
    const { asking, knownPath } = useKnownVault.getState();
    return asking || knownPath === vault.path;
  });
  useEffect(() => {
    // The place that its person opened it from is gone.
    if (openedHere) focusTab();
  }, [openedHere]);
  const panelIds = ['left', 'middle', 'right'].filter(
    (id) => id === 'middle' || (id === 'left' ? leftOpen : rightOpen),
  );
  const saved = useDefaultLayout({ id: 'interlinear.panels', panelIds, storage: panelSizes });

  return (
    <>
      <div className="workbench">
        <ErrorBoundary small>
          <Ribbon />
        </ErrorBoundary>
        <Group className="workbench-panels" orientation="horizontal" {...saved}>
          {leftOpen && (
            <>
              <Panel
                id="left"
                minSize={180}
                defaultSize={252}
                maxSize="40%"
                groupResizeBehavior="preserve-pixel-size"
              >
                <aside className="side side-left" aria-label={t('ribbon.files')}>
                  <ErrorBoundary>
                    <Files vault={vault} />
                  </ErrorBoundary>
                </aside>
              </Panel>
              <Separator className="sash" aria-label={t('tabs.resizeLeft')} />
            </>
          )}
          <Panel id="middle" minSize={320}>
            <main className="middle">
              <ErrorBoundary small>
                <Banners vault={vault} lost={lost} />
              </ErrorBoundary>
              <NoteToCome />
              <TabArea />
            </main>
          </Panel>
          {rightOpen && (
            <>
              <Separator className="sash" aria-label={t('tabs.resizeRight')} />
              <Panel
                id="right"
                minSize={220}
                defaultSize={300}
                maxSize="45%"
                groupResizeBehavior="preserve-pixel-size"
              >
                <aside className="side side-right" aria-label={t('side.label')}>
                  <ErrorBoundary>
                    <RightPanel path={note} />
                  </ErrorBoundary>
                </aside>
              </Panel>
            </>
          )}
        </Group>
      </div>
      <StatusBar vault={vault} isLost={lost !== null} />
      <Modals />
      <ErrorBoundary small>
        <EntityKnowledge />
      </ErrorBoundary>
      <ErrorBoundary small>
        <Suspense>
          <UnsentNotes vault={vault.path} />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
