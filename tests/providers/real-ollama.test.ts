import { expect, test } from 'vitest';
import { ask, collect, providerAt } from './support';

const host = process.env.OLLAMA_HOST;
const address = host && (host.includes('://') ? host : `http://${host}`);
const models: { name: string }[] = address
  ? await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(2_000) })
      .then(async (answer) => ((await answer.json()) as { models: { name: string }[] }).models)
      .catch(() => [])
  : [];
const model = models[0]?.name;
if (!address || !model)
  process.stdout.write(
    'No Ollama with a model answers at OLLAMA_HOST: the test with a real one does not run.\n',
  );

test.runIf(address && model)('a real Ollama answers', async () => {
  const provider = await providerAt(address ?? '', 'ollama', 'ollama-chat', {
    key: null,
    model: model ?? '',
  });
  const outcome = await collect(
    provider.stream(ask('Say hello.', { model: model ?? '', maxTokens: 200 }), AbortSignal.timeout(55_000)),
  );
  expect(outcome.error).toBeNull();
  expect(outcome.text + outcome.reasoning).not.toBe('');
  expect(outcome.usage?.outputTokens).toBeGreaterThan(0);
});
