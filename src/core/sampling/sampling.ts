import type { SampleRequest, SamplingModel } from '../mcp';
import type { NeutralMessage, Providers } from '../providers';

type Known = Pick<Providers, 'list' | 'pick' | 'prices'>;

/** A model of the person's for one question of a server: what a hint names, else what its priorities ask for, else the default. */
export function createModelSelector(
  providers: () => Known,
): (request: SampleRequest) => Promise<SamplingModel> {
  return async (sample) => {
    const provider = await providers().pick(choose(sample, providers()));
    return {
      name: provider.model,
      async answer(request, signal) {
        const { tools, toolChoice, maxTokens } = request;
        const offered = toolChoice === 'none' ? [] : tools;
        const toolCalls: { id: string; name: string; arguments: Readonly<Record<string, unknown>> }[] = [];
        let text = '';
        let cut = false;
        const question = {
          model: provider.model,
          messages: messagesOf(request),
          tools: offered,
          ...(toolChoice === 'required' && offered.length > 0 && { toolChoice }),
          maxTokens,
        };
        for await (const event of provider.stream(question, signal)) {
          if (event.kind === 'text') text += event.text;
          if (event.kind === 'tool-call')
            toolCalls.push({
              id: event.id || `call_${toolCalls.length + 1}`,
              name: event.name,
              arguments: event.arguments ?? {},
            });
          if (event.kind === 'finish') cut = event.reason === 'length';
        }
        return { model: provider.model, text, toolCalls, cut };
      },
    };
  };
}

/** The id of a provider; null: the default one. */
function choose({ hints, priorities }: SampleRequest, { list, prices }: Known): string | null {
  const usable = list.get().filter(({ key }) => key !== 'missing');
  for (const hint of hints.map((text) => text.toLowerCase())) {
    const match = usable.find(({ model }) => model.toLowerCase().includes(hint));
    if (match) return match.id;
  }
  const { cost, speed, intelligence } = priorities;
  // Price stands for both: what is cheap is small and fast, what is dear is meant to be clever.
  const thrift = Math.max(cost, speed);
  if (Math.max(thrift, intelligence) < 0.5 || thrift === intelligence) return null;
  const priced = usable.flatMap(({ id, vendor, model }) => {
    const price = prices.get().prices.find((one) => one.vendor === vendor && one.model === model);
    return price ? [{ id, dollars: price.input + price.output }] : [];
  });
  const [cheapest, ...others] = priced.toSorted((a, b) => a.dollars - b.dollars);
  return (thrift > intelligence ? cheapest : (others.at(-1) ?? cheapest))?.id ?? null;
}

function messagesOf({ system, messages }: SampleRequest): NeutralMessage[] {
  const names = new Map(
    messages.flatMap(({ toolCalls }) => toolCalls.map(({ id, name }) => [id, name] as const)),
  );
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
    ...messages.flatMap(({ role, text, images, toolCalls, toolResults }): NeutralMessage[] => {
      if (role === 'assistant') return [{ role, text, toolCalls }];
      const results = toolResults.map((result) => ({
        role: 'tool' as const,
        callId: result.id,
        name: names.get(result.id) ?? '',
        text: result.text,
        isError: result.isError,
        images: [],
      }));
      if (results.length > 0) return results;
      return [
        { role, text, attachments: images.map((image, at) => ({ ...image, name: `picture-${at + 1}` })) },
      ];
    }),
  ];
}
