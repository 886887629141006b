// Stands in for Electron's module, so that the built main process can be started where no binary is installed. It knows the
// calls of Electron's own types and fails on every other. What it is asked to do is told to the parent, which answers
// dialogs in advance (ELECTRON_DOUBLE, as JSON) and sends what the system and the person do.
import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { strict as checked, membersOf } from './electron-api.mjs';

const {
  isPackaged = true,
  isSecond = false,
  answers = [],
  failing = [],
} = JSON.parse(process.env.ELECTRON_DOUBLE ?? '{}');
const tell = (what) => process.send?.(what);
const nothing = () => undefined;
const strict = (name, given, options) =>
  checked(name, given, (problem) => tell({ did: 'unknown', problem }), options);
/** An emitter of which only the own members are Electron's. */
const emitter = (given) => Object.assign(Object.create(new EventEmitter()), given);

const paths = {
  userData: process.env.ELECTRON_USER_DATA ?? join(process.env.HOME, '.config/Interlinear'),
  documents: join(process.env.HOME, 'Documents'),
};
let isOver = false;
const end = (code) => {
  if (isOver) return;
  isOver = true;
  process.exitCode = code;
  tell({ did: 'exit', code });
  process.disconnect?.();
};
const appParts = emitter({
  isPackaged,
  setAsDefaultProtocolClient: (scheme) => tell({ did: 'protocol', scheme }),
  getPath: (name) => paths[name],
  setPath: (name, path) => {
    if (!path.startsWith('/')) throw new Error('Path must be absolute');
    paths[name] = path;
    tell({ did: 'path', name, path });
  },
  getVersion: () => '0.0.0',
  getName: () => 'interlinear',
  enableSandbox: () => tell({ did: 'enableSandbox' }),
  requestSingleInstanceLock: () => !isSecond,
  whenReady: async () => undefined,
  // At once, whatever still runs.
  exit: (code) => process.send({ did: 'exit', code }, () => process.exit(code)),
  quit() {
    let prevented = false;
    appParts.emit('before-quit', { preventDefault: () => (prevented = true) });
    if (prevented) return;
    tell({ did: 'quit' });
    end(process.exitCode ?? 0);
  },
});
export const app = strict('App', appParts);

class PageFrame {
  url = '';
  port = undefined;
}
const windows = [];

function createContents() {
  const frame = new PageFrame();
  const mainFrame = strict(
    'WebFrameMain',
    emitter({
      url: '',
      postMessage: (channel, _message, ports) => {
        frame.port = ports[0];
        frame.port.on('message', (message) => {
          for (const each of [message].flat()) tell({ did: 'frame', channel, frame: each });
        });
        frame.port.unref();
      },
    }),
  );
  const parts = emitter({
    mainFrame,
    session: session.defaultSession,
    setWindowOpenHandler: nothing,
    setWebRTCIPHandlingPolicy: nothing,
    replaceMisspelling: (word) => tell({ did: 'spelling', word }),
    reload: () => {
      tell({ did: 'reload' });
      queueMicrotask(() => parts.emit('did-finish-load'));
    },
    _frame: frame,
  });
  parts.mainFrame = new Proxy(mainFrame, {
    get: (target, member) => (member === 'url' ? frame.url : target[member]),
  });
  return parts;
}

export const BrowserWindow = class {
  constructor(options) {
    const contents = createContents();
    const parts = emitter({
      webContents: strict('WebContents', contents),
      loadURL: async (url) => {
        contents._frame.url = url;
        const response = await scheme({ url });
        const policy = response.headers.get('content-security-policy');
        tell({ did: 'page', url, status: response.status, policy });
        contents.emit('did-finish-load');
      },
      isFocused: () => true,
      isMinimized: () => false,
      isMaximized: () => false,
      maximize: nothing,
      restore: nothing,
      show: nothing,
      focus: () => tell({ did: 'focus' }),
      getNormalBounds: () => ({ x: 0, y: 0, width: 1280, height: 800 }),
    });
    tell({ did: 'window', webPreferences: options.webPreferences });
    windows.push({ parts, contents });
    // biome-ignore lint/correctness/noConstructorReturn: the class is only how Electron names it.
    return strict('BrowserWindow', parts);
  }
};

/** Electron's port is an emitter of events with `data`. */
export class MessageChannelMain {
  constructor() {
    const { port1, port2 } = new MessageChannel();
    const near = emitter({
      postMessage: (message) => port1.postMessage(message),
      close: () => port1.close(),
      start: () => {
        port1.on('message', (data) => near.emit('message', { data }));
        port1.unref();
      },
    });
    this.port1 = strict('MessagePortMain', near);
    this.port2 = port2;
  }
}

let scheme;
export const protocol = strict('Protocol', {
  registerSchemesAsPrivileged: nothing,
  handle: (name, handler) => {
    if (failing.includes('protocol')) throw new Error('planted: no such scheme');
    if (name === 'app') scheme = handler;
  },
});
export const session = {
  defaultSession: strict(
    'Session',
    emitter({
      setPermissionRequestHandler: nothing,
      setPermissionCheckHandler: nothing,
      setDevicePermissionHandler: nothing,
      addWordToSpellCheckerDictionary: (word) => tell({ did: 'learn', word }),
    }),
  ),
};
const menu = (template) => ({
  popup: () => tell({ did: 'popup', labels: template.map(({ label, role }) => label ?? role) }),
  template,
});
export const Menu = strict(
  'Menu',
  {
    buildFromTemplate: menu,
    setApplicationMenu: ({ template }) => tell({ did: 'menu', roles: JSON.stringify(template) }),
  },
  { fixed: true },
);
export const Tray = class {
  constructor() {
    const parts = emitter({
      setToolTip: nothing,
      setContextMenu: ({ template }) => tell({ did: 'tray', labels: template.map(({ label }) => label) }),
      destroy: nothing,
    });
    // biome-ignore lint/correctness/noConstructorReturn: see above.
    return strict('Tray', parts);
  }
};
export const Notification = class {
  constructor() {
    // biome-ignore lint/correctness/noConstructorReturn: see above.
    return strict('Notification', emitter({ show: nothing }));
  }
};
export const nativeImage = { createFromPath: () => strict('NativeImage', {}) };
for (const name of Object.keys(nativeImage))
  if (!membersOf('NativeImage', { fixed: true }).has(name))
    throw new Error(`Electron’s nativeImage has no ${name}.`);
export const safeStorage = strict('SafeStorage', {
  isAsyncEncryptionAvailable: async () => true,
  decryptStringAsync: async (sealed) => ({
    result: Buffer.from(sealed).reverse().toString(),
    shouldReEncrypt: false,
  }),
});
export const screen = strict('Screen', emitter({ getAllDisplays: () => [] }));
export const dialog = strict('Dialog', {
  showErrorBox: (title, content) => tell({ did: 'error', title, content }),
  showMessageBox: async ({ message, buttons }) => {
    tell({ did: 'message', message, buttons });
    return { response: answers.shift() ?? 0, checkboxChecked: false };
  },
});
export const ipcMain = strict('IpcMain', emitter({}));
export const net = strict('Net', {});
export const shell = strict('Shell', {});
export default { app, ipcMain, shell };

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

process.on('message', ({ what, ...given }) => {
  const { contents } = windows.at(-1) ?? {};
  switch (what) {
    case 'quit':
      return app.quit();
    case 'app-event':
      return appParts.emit(given.event, { preventDefault: nothing }, ...given.args);
    case 'page-event':
      return contents.emit(given.event, { preventDefault: nothing }, ...given.args);
    case 'frame':
      return contents._frame.port.postMessage(given.frame);
  }
});
