// Fast refresh without the inline script that the page's policy forbids; empty in a build.
import '@vitejs/plugin-react/preamble';
import { createRoot } from 'react-dom/client';
import './ui/styles.css';
import { showRememberedTheme } from './base/layout/theme';
import { App } from './shell/App';
import { connect } from './shell/connect';
import { noteFailedStyles } from './ui';

noteFailedStyles(document);
showRememberedTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App connection={connect()} />);
