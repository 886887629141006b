/** The whole screen over a core that only pretends. Development only: `/gallery.html?vault=none&theme=dark&language=zh`. */
import '@vitejs/plugin-react/preamble';
import { createRoot } from 'react-dom/client';
import '../ui/styles.css';
import { createWirePair, reopening, serveBridge } from '../../bridge';
import { operations } from '../../contract/operations';
import { App } from '../shell/App';
import { createExampleCore } from './example-core';

const query = new URLSearchParams(window.location.search);
const handlers = createExampleCore({
  vault: query.get('vault') ?? 'open',
  theme: query.get('theme') ?? 'system',
  language: query.get('language') ?? 'en',
  empty: query.has('empty'),
});

const connection = reopening({
  operations,
  open: async () => {
    const [screen, core] = createWirePair();
    serveBridge(core, operations, handlers, (error) => {
      throw error;
    });
    return screen;
  },
});

const root = document.getElementById('root');
if (root) createRoot(root).render(<App connection={{ ...connection, enterWith: () => undefined }} />);
