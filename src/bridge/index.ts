export { type BridgeClient, createBridgeClient, type RequestOptions, type WireClient } from './client';
export { type Connection, type ConnectionState, reopening } from './reopen';
export { serveBridge } from './server';
export { tableHash } from './table-hash';
export { createWirePair, type Wire } from './wire';
export { type EnterMessage, type EntryMessage, enterWebSocket, entryText } from './wires/enter';
export { messagePortWire, type PortLike } from './wires/message-port';
export { openWebSocket, type SocketLike, webSocketWire } from './wires/web-socket';
