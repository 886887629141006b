import type { MessageChannelMain, MessagePortMain, WebContents } from 'electron';
import { messagePortWire, type PortLike, serveBridge, type Wire } from '../bridge';
import type { Handlers } from '../contract/define';
import { type AppOperations, operations } from '../contract/operations';
import type { Log } from '../core/foundation';
import { isOurs } from './window';

/** Gives each load of our page, and nothing else, a port to the core. */
export function connectPage({
  webContents,
  MessageChannelMain: Channel,
  handlers,
  log,
}: {
  webContents: Pick<WebContents, 'on' | 'mainFrame'>;
  MessageChannelMain: new () => MessageChannelMain;
  handlers: Handlers<AppOperations>;
  log: Log;
}): void {
  let current: Wire | undefined;
  webContents.on('did-finish-load', () => {
    const frame = webContents.mainFrame;
    current?.close();
    current = undefined;
    if (!isOurs(frame.url)) return log.warn('a page that is not ours got no port');
    const { port1, port2 } = new Channel();
    current = wireOf(port1);
    serveBridge(current, operations, handlers, (error, operation) =>
      log.error('operation failed', { operation, error }),
    );
    frame.postMessage('interlinear:port', null, [port2]);
  });
}

/** Electron's port is an emitter where the others have a property. */
function wireOf(port: MessagePortMain): Wire {
  const like: PortLike = {
    onmessage: null,
    postMessage: (message) => port.postMessage(message),
    close: () => port.close(),
    start: () => {
      port.on('message', (event) => like.onmessage?.(event));
      port.start();
    },
  };
  return messagePortWire(like, (listener) => port.on('close', listener));
}
