import type { chatOperations } from '../../contract/chat';
import type { Handlers } from '../../contract/define';
import type { App } from '../app';

export function chatHandlers({ authority, chat, mcp, retryLater }: App): Handlers<typeof chatOperations> {
  return {
    'chat.run': async ({ path, at, version, tag, model, trim, replace, beside, again, room }) => {
      const { runId } = await chat.run({
        ...{ path, at, version },
        ...(tag && { tag }),
        ...(model && { model }),
        ...(trim && { trim }),
        ...(replace && { replace }),
        ...(beside && { beside }),
        ...(again && { again }),
        ...(room && { room }),
      });
      return { runId };
    },
    'chat.stop': ({ runId }) => chat.stop(runId),
    'chat.retryLater': ({ on, ...wish }) => retryLater.set(wish, on),
    'chat.waiting': (_input, { signal }) => retryLater.waiting.follow(signal),
    'chat.answerer': (place) => chat.answerer(place),
    'chat.runBlock': (place) => chat.runBlock(place),
    'chat.agreeToNote': ({ path, powers }) => authority.agree(path, powers),
    'chat.toolLines': ({ path }, { signal }) => chat.toolLines(path, signal),
    'chat.acceptLines': ({ path, lines }) => chat.acceptLines(path, lines),
    'chat.stopCall': ({ callId }) => chat.stopCall(callId),
    'chat.promptTurns': async ({ serverId, name, arguments: args }, { signal }) => ({
      turns: await chat.promptTurns({
        server: mcp.find(serverId)?.name ?? serverId,
        name,
        content: await mcp.getPrompt(serverId, name, args, signal),
      }),
    }),
    'chat.runs': (_input, { signal }) => chat.runs.follow(signal),
    'chat.preview': ({ path, at, version, tag }, { signal }) =>
      chat.preview({ path, at, version, ...(tag && { tag }) }, signal),
  };
}
