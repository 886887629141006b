import type { SampleRequest, SampleResult } from './mcp';
import type { Providers } from './providers';

/** A model of the person's for one question of a server: the first hint that one of them matches, else the default. */
export function lendModel(
  providers: () => Pick<Providers, 'list' | 'pick'>,
): (request: SampleRequest, signal: AbortSignal) => Promise<SampleResult> {
  return async ({ system, messages, maxTokens, hints }, signal) => {
    const all = providers().list.get();
    const wanted = hints
      .map((hint) => all.find(({ model, key }) => key !== 'missing' && model.includes(hint)))
      .find((found) => found !== undefined);
    const provider = await providers().pick(wanted?.id ?? null);
    let text = '';
    let cut = false;
    const request = {
      model: provider.model,
      messages: [
        ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
        ...messages.map((message) =>
          message.role === 'user'
            ? { role: 'user' as const, text: message.text, attachments: [] }
            : { role: 'assistant' as const, text: message.text, toolCalls: [] },
        ),
      ],
      tools: [],
      maxTokens,
    };
    for await (const event of provider.stream(request, signal)) {
      if (event.kind === 'text') text += event.text;
      if (event.kind === 'finish') cut = event.reason === 'length';
    }
    return { model: provider.model, text, cut };
  };
}
