export { attachmentTokens } from './attachment-weight';
export { ollamaAddress } from './base-url';
export type {
  Attachment,
  FinishReason,
  ModelEvent,
  ModelRequest,
  NativeState,
  NeutralMessage,
  NeutralTool,
  NeutralToolCall,
  Provider,
} from './provider';
export type { Providers } from './providers';
export { createProviders } from './registry';
export { createUsageLog, type UsageLog } from './usage-log';
