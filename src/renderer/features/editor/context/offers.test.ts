import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../contract/errors';
import type { Core } from '../../../base/core/core';
import { createOffers, type OfferServer } from './offers';

const offerServer = (id: string): OfferServer => ({
  ...{ id, name: id, level: 'user', since: 1 },
  ...{ prompts: null, resources: null },
});
const prompt = { name: 'review', title: 'Review', description: '', arguments: [] };

test('one server that is dead and one that says nothing do not keep what the others offer; each says why', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  const call = (_name: string, { serverId }: { serverId: string }) => {
    asked.push(serverId);
    if (serverId === 'mute') return new Promise(() => undefined);
    const dead = new AppError('mcp.unreachable', 'The server ended.', { serverId, reason: '' });
    return serverId === 'dead' ? Promise.reject(dead) : Promise.resolve([prompt]);
  };
  const offers = createOffers({ call } as unknown as Core);
  const offerServers = [offerServer('mute'), offerServer('dead'), offerServer('docs')];
  const waiting = offers.prompts([], offerServers);
  await vi.advanceTimersByTimeAsync(3_000);
  const { items, silent } = await waiting;
  expect(items).toMatchObject([{ kind: 'server', server: { id: 'docs' }, prompt: { name: 'review' } }]);
  expect(silent.map(({ server }) => server)).toEqual(['mute', 'dead']);
  expect(silent[1]?.reason).toBe('The server ended.');

  // Who answered, or is still thinking, is not asked again with the next key; who failed is.
  const again = offers.prompts([], offerServers);
  await vi.advanceTimersByTimeAsync(3_000);
  await again;
  expect(asked).toEqual(['mute', 'dead', 'docs', 'dead']);
});
