import { expect, test } from 'vitest';
import { systemClock } from '../../foundation';
import { createResourceShelf } from './resources';

test.each(['\u007f', '[', '\\', '\u202e'])(
  'of a resource that is longer than any model reads the beginning goes with the message, and says so (%j)',
  async (sign) => {
    const content = { uri: 'a:b', mediaType: null, text: sign.repeat(5_000_000), base64: null };
    const resourceServers = { server: () => ({ id: 's', isReady: true }), read: async () => [content] };
    const shelf = createResourceShelf({ resourceServers, clock: systemClock });
    const result = await shelf.now(
      { server: 's', uri: 'a:b', name: 'n' } as never,
      new AbortController().signal,
    );
    const text = result.kind === 'read' ? result.text : '';
    expect(text.length).toBeLessThan(8_100_000);
    expect(text).toMatch(/… \(cut; the whole has [45],000,\d{3} characters\)$/);
  },
);
