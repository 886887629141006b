// Fast refresh without the inline script that the page's policy forbids; empty in a build.
import '@vitejs/plugin-react/preamble';
import { createRoot } from 'react-dom/client';
import './ui/styles.css';
import { App } from './app/App';
import { connect } from './app/connect';
import { openDrafts } from './app/kept-drafts';
import { showRememberedTheme } from './app/theme';
import { noteFailedStyles } from './ui';

noteFailedStyles(document);
showRememberedTheme();
await openDrafts();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App connection={connect()} />);
