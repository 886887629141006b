// Stands in for Electron's module, so that the built main process can be started where no binary is installed.
// What it is asked to do is told to the parent; the parent may ask the page's scheme for a file, or to quit.
import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

const tell = (what) => process.send?.(what);
const nothing = () => undefined;

class Emitter extends EventEmitter {}
export const app = Object.assign(new Emitter(), {
  isPackaged: true,
  setAsDefaultProtocolClient: (scheme) => tell({ did: 'protocol', scheme }),
  getPath: () => process.env.INTERLINEAR_DATA,
  setPath: nothing,
  getVersion: () => '0.0.0',
  getName: () => 'interlinear',
  enableSandbox: () => tell({ did: 'enableSandbox' }),
  requestSingleInstanceLock: () => true,
  whenReady: async () => undefined,
  quit() {
    let prevented = false;
    app.emit('before-quit', { preventDefault: () => (prevented = true) });
    if (!prevented) {
      tell({ did: 'quit' });
      process.disconnect();
    }
  },
});

export class BrowserWindow extends Emitter {
  constructor(options) {
    super();
    tell({ did: 'window', webPreferences: options.webPreferences });
    const mainFrame = {
      url: '',
      postMessage: (channel, _message, ports) => {
        ports[0].on('message', (frame) => tell({ did: 'frame', channel, frame }));
        ports[0].unref();
      },
    };
    this.webContents = Object.assign(new Emitter(), {
      mainFrame,
      setWindowOpenHandler: nothing,
      setWebRTCIPHandlingPolicy: nothing,
    });
  }
  async loadURL(url) {
    this.webContents.mainFrame.url = url;
    const response = await scheme({ url });
    tell({
      did: 'page',
      url,
      status: response.status,
      policy: response.headers.get('content-security-policy'),
    });
    this.webContents.emit('did-finish-load');
  }
  isFocused = () => true;
}

/** Electron's port is an emitter of events with `data`. */
export class MessageChannelMain {
  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port2 = port2;
    this.port1 = Object.assign(new Emitter(), {
      postMessage: (message) => port1.postMessage(message),
      close: () => port1.close(),
      start: () => {
        port1.on('message', (data) => this.port1.emit('message', { data }));
        port1.unref();
      },
    });
  }
}

let scheme;
export const protocol = {
  registerSchemesAsPrivileged: nothing,
  handle: (name, handler) => {
    if (name === 'app') scheme = handler;
  },
};
export const session = {
  defaultSession: {
    setPermissionRequestHandler: nothing,
    setPermissionCheckHandler: nothing,
    setDevicePermissionHandler: nothing,
  },
};
export const Menu = {
  buildFromTemplate: (template) => template,
  setApplicationMenu: () => tell({ did: 'menu' }),
};
export class Tray extends Emitter {
  setToolTip = nothing;
  setContextMenu = (template) => tell({ did: 'tray', labels: template.map(({ label }) => label) });
  destroy = nothing;
}
export class Notification extends Emitter {
  show = nothing;
}
export const nativeImage = { createFromPath: () => ({ resize: nothing }) };
export const safeStorage = { isEncryptionAvailable: () => false };
export const screen = { getAllDisplays: () => [] };
export const dialog = {};
export const ipcMain = new Emitter();
export const net = {};
export const shell = {};
export default { app, ipcMain, shell };

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

process.on('message', (message) => {
  if (message === 'quit') app.quit();
});
