import { noList, StreamFault } from '../failures';
import { type Format, isObject, type PullProgress, unstreamed } from '../format';
import { reads, readsWhole } from '../reading';
import { speaks } from './facts';
import { fitted } from './fit';
import { createReading } from './from-stream';
import { toRequest } from './to-request';
import { lines, request, whole } from './wire';

export const ollama: Format = {
  async open(target, question, transport) {
    const wire = toRequest(question);
    const body = target.streams ? wire : unstreamed(wire);
    const response = await request(
      target,
      transport,
      '/api/chat',
      target.fit ? fitted(body, target.fit) : body,
    );
    if (!target.streams) return readsWhole([await whole(response)], createReading());
    return reads(lines(response), createReading());
  },
  async models(target, transport) {
    const body: unknown = await (await request(target, transport, '/api/tags')).json();
    if (!isObject(body) || !Array.isArray(body.models)) throw noList();
    return body.models
      .filter(isObject)
      .map(({ name }) => String(name))
      .filter((name) => speaks(name, null))
      .sort();
  },
  async *pull(target, model, transport) {
    const response = await request(target, transport, '/api/pull', { model, stream: true });
    let done = false;
    for await (const line of lines(response)) {
      const { status, completed, total } = line as Partial<PullProgress>;
      done = status === 'success';
      yield { status: status ?? '', completed: completed ?? null, total: total ?? null };
    }
    if (!done) throw new StreamFault('incomplete', 'The pull ended before its success.');
  },
};
