import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer(
    { name: 'modern', version: '3.2.1' },
    { instructions: 'Be modern.', capabilities: { tools: { listChanged: true } } },
  );
  const echo = server.registerTool(
    'echo',
    { description: 'Says it back', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  server.registerTool('rename', { inputSchema: z.object({}) }, async () => {
    echo.update({ description: 'Says it back, differently' });
    return { content: [{ type: 'text', text: 'renamed' }] };
  });
  return server;
});
