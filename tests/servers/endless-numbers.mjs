// Numbers that JSON can write and no program can hold: in a tool, in a question, in all that it says.
import { createInterface } from 'node:readline';

const say = (text) => process.stdout.write(`${text}\n`);
const answer = (id, result) => say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
const field = '{"type":"number","maximum":1e400,"default":1e400}';
const schema = `{"type":"object","properties":{"n":${field}}}`;
let waiting;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, ...given } = JSON.parse(line);
  switch (method) {
    case undefined: {
      const text = JSON.stringify(JSON.stringify(given.error ?? given.result));
      return answer(waiting, `{"content":[{"type":"text","text":${text}}]}`);
    }
    case 'initialize':
      return answer(
        id,
        `{"protocolVersion":"${params.protocolVersion}","capabilities":{"tools":{},"resources":{},"logging":{}},"serverInfo":{"name":"n","version":"1"}}`,
      );
    case 'tools/list':
      return answer(
        id,
        `{"tools":[{"name":"bad","inputSchema":${schema}},{"name":"ask","inputSchema":{"type":"object"}},{"name":"say","inputSchema":{"type":"object"},"outputSchema":${schema}}]}`,
      );
    case 'resources/list':
      return answer(id, '{"resources":[{"uri":"x://a","name":"a","size":1e400}]}');
    case 'tools/call':
      if (params.name === 'ask') {
        waiting = id;
        return say(
          `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"How many?","requestedSchema":${schema}}}`,
        );
      }
      say(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(params._meta?.progressToken ?? 0)},"progress":1e400,"total":-1e400}}`,
      );
      say('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":{"x":1e400}}}');
      return answer(
        id,
        '{"content":[{"type":"text","text":"r"},{"type":"odd","size":1e400}],"structuredContent":{"n":1e400,"__proto__":{"a":1}},"_meta":{"z":1e400}}',
      );
    case 'ping':
      return answer(id, '{}');
    default:
      if (id !== undefined)
        say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"no"}}`);
  }
});
process.stdin.on('end', () => process.exit(0));
