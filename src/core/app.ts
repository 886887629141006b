import type { Notice } from '../contract/app';
import type { CallOutcome } from '../contract/tools';
import type { Agents } from './agents';
import type { Chat } from './chat';
import type { Picture } from './foundation';
import type { Health } from './health';
import type { Host } from './host';
import type { Mcp } from './mcp';
import type { Notes } from './notes';
import type { Providers } from './providers';
import type { SettingsDoor } from './settings';
import type { Tools } from './tools';
import type { Vault } from './vault';

/** The application without a face. */
export interface App {
  readonly host: Host;
  readonly settings: SettingsDoor;
  readonly vault: Vault;
  readonly notes: Notes;
  readonly mcp: Mcp;
  readonly tools: Tools;
  readonly providers: Providers;
  readonly agents: Agents;
  readonly chat: Chat;
  readonly health: Health;
  readonly notices: { readonly list: Picture<Notice[]>; dismiss(id: string): void };
  openExternal(url: string): Promise<void>;
  openVault(absolutePath: string): Promise<void>;
  openSampleVault(): Promise<void>;
  recentVaults(): { path: string; name: string }[];
  trustVault(trusted: boolean): Promise<void>;
  callToolByHand(
    input: { serverId: string; tool: string; arguments: Record<string, unknown>; path: string | null },
    signal: AbortSignal,
  ): Promise<CallOutcome>;
  close(): Promise<void>;
}

/** Composed by hand from what the host lends. */
export async function createApp(_host: Host): Promise<App> {
  throw new Error('The parts are not joined yet.');
}
