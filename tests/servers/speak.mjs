/**
 * The smallest MCP server over standard input and output, for servers that misbehave on purpose.
 * `answers[method]` gives a result or undefined for no answer.
 */
export function serve(answers, { capabilities = { tools: {} } } = {}) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', async (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') void receive(JSON.parse(line));
  });

  async function receive(message) {
    const { id, method, params } = message;
    if (method === undefined) return answers['(response)']?.(message);
    const handler = answers[method];
    if (handler) {
      const result = await handler(params ?? {}, id);
      if (result !== undefined && id !== undefined) send({ id, result });
    } else if (method === 'initialize') {
      const { protocolVersion } = params;
      send({ id, result: { protocolVersion, capabilities, serverInfo: { name: 'bad', version: '1' } } });
    } else if (method === 'ping') send({ id, result: {} });
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

/** In the place of "@deep" goes an object that is nested deeper than anybody needs. */
const levels = 400;
const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

export const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message }).replaceAll('"@deep"', deep)}\n`);
export const tool = (name, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
export const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

/** Ends when its input does, as a well-behaved server. */
export const endWithInput = () => process.stdin.on('end', () => process.exit(0));
