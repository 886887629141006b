import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import { backoff, delay } from '../../foundation';
import type { ConnectionEvents } from './connection';
import { wordsOf } from './failures';
import { limits } from './limits';

/** How soon a stream of news that ended is asked for again. */
const listening = { first: 1_000, most: 60_000, calmMs: 60_000 };

/** What a server tells without being asked goes to whoever follows the connection. */
export function passNotifications(client: Client, events: ConnectionEvents): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => events.onToolsChanged());
  client.setNotificationHandler('notifications/resources/list_changed', () => events.onOffersChanged());
  client.setNotificationHandler('notifications/prompts/list_changed', () => events.onOffersChanged());
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    events.onResourceUpdated(params.uri),
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    const from = params.logger ? ` ${params.logger}` : '';
    events.onLog(`${params.level}${from}: ${text ?? ''}`, params.level);
  });
}

/**
 * In the modern era changes are told only to who asks; the question is asked again when its stream breaks. Never rejects.
 */
export async function listenForChanges(
  client: Client,
  offers: ServerCapabilities,
  {
    events,
    over,
    isClosing,
  }: {
    events: ConnectionEvents;
    /** Of the connection, whoever ended it. */
    over: AbortSignal;
    /** It is we who end it. */
    isClosing(): boolean;
  },
): Promise<void> {
  const filter = {
    ...(offers.tools?.listChanged && { toolsListChanged: true }),
    ...(offers.resources?.listChanged && { resourcesListChanged: true }),
    ...(offers.prompts?.listChanged && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  let short = 0;
  try {
    for (let end = 'remote'; end === 'remote' && !isClosing(); ) {
      const since = performance.now();
      const subscription = await client.listen(filter, { timeout: limits.countMs });
      end = await subscription.closed;
      if (end !== 'remote' || isClosing()) return;
      short = performance.now() - since > listening.calmMs ? 1 : short + 1;
      await delay(backoff(short, listening, Math.random()), over);
      // What changed while nobody listened is not told again.
      events.onToolsChanged();
    }
  } catch (error) {
    if (!isClosing()) events.onLog(`Changes are not announced (${wordsOf(error)})`, null);
  }
}
