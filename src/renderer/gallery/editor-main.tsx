/** The note editor over a core that only pretends. Development only: `/gallery-editor.html?theme=dark&size=2000000&rate=1000&tokens=8000`. */
import '@vitejs/plugin-react/preamble';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import '../ui/styles.css';
import './editor.css';
import { createBridgeClient, createWirePair, serveBridge } from '../../bridge';
import { operations } from '../../contract/operations';
import { CoreProvider, useCore } from '../base/core/core';
import { listenForKeys } from '../base/keyboard/commands';
import { useLayout } from '../base/layout/layout';
import { useFollowedVault } from '../base/layout/vault-entries';
import { ApprovalTray, NoteApprovals } from '../features/approvals';
import { ContextPanel, NoteEditor } from '../features/note';
import { TooltipProvider } from '../ui';
import { createEditorCore } from './editor-core';

const query = new URLSearchParams(window.location.search);
const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
document.documentElement.dataset.theme = query.get('theme') ?? 'light';
const { handlers, session } = createEditorCore({
  theme: query.get('theme') ?? 'light',
  size: number('size', 0),
  rate: number('rate', 60),
  tokens: number('tokens', 0),
  why: query.get('why') ?? 'policy',
});
const [screen, core] = createWirePair();
serveBridge(core, operations, handlers, (error) => {
  throw error;
});
const client = createBridgeClient<typeof operations>(screen);
Object.assign(window, { session, layout: useLayout });

const path = 'projects/Apollo/Overview.md';

function Editor() {
  useFollowedVault(useCore(), 'notes');
  useEffect(() => listenForKeys(window), []);
  return (
    <div className="gallery-editor">
      <main>
        <NoteEditor path={path} approvals={<NoteApprovals path={path} />} />
      </main>
      <aside>
        <ContextPanel path={path} />
      </aside>
      <footer>
        <ApprovalTray />
      </footer>
    </div>
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <CoreProvider core={client}>
      <TooltipProvider>
        <Editor />
      </TooltipProvider>
    </CoreProvider>,
  );
}
