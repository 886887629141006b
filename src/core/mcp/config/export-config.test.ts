import { expect, test } from 'vitest';
import { exportServers } from './export-config';
import { recognise } from './import-config';

test('what is exported can be added elsewhere, and holds no secret', () => {
  const text = exportServers([
    {
      name: 'notes',
      command: 'npx',
      args: ['-y', 'notes', '--token', 'hello'],
      env: { NOTES_KEY: 'hello', HOME: `\${env:HOME}` },
      timeout: 5_000,
    },
    {
      name: 'web',
      url: 'https://example.com/mcp?api_key=hello',
      headers: { 'X-Api-Key': 'hello', Authorization: `Bearer \${secret:web}` },
      oauth: { clientId: 'app', clientSecret: 'hello', privateKey: 'hello' },
    },
  ]);
  expect(text).not.toContain('hello');
  expect(recognise(text)).toMatchObject({
    kind: 'json',
    servers: [
      { name: 'notes', args: ['-y', 'notes', '--token', '•••'], timeout: 5_000 },
      { name: 'web', url: 'https://example.com/mcp?api_key=•••', oauth: { clientId: 'app' } },
    ],
  });
  const { mcpServers } = JSON.parse(text);
  expect(mcpServers.notes.env).toEqual({ NOTES_KEY: `\${NOTES_KEY}`, HOME: `\${env:HOME}` });
  expect(mcpServers.web.headers).toEqual({
    'X-Api-Key': `\${X_API_KEY}`,
    Authorization: `Bearer \${secret:web}`,
  });
});
