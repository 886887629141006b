import { ipcRenderer } from 'electron';

// The preload has a page's window, but is compiled with Node's types.
declare const window: { postMessage(message: unknown, origin: string, transfer: readonly unknown[]): void };

// All that a page is given: the port to the core. Frames on it are checked in the core.
ipcRenderer.on('interlinear:port', (event) => {
  window.postMessage('interlinear:port', '*', event.ports);
});
