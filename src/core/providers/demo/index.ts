import type { Format } from '../format';

export const demo: Format = {
  async *stream() {
    yield { kind: 'finish', reason: 'stop' };
  },
  models: async () => ['demo'],
};
