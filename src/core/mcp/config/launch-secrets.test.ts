import { expect, test } from 'vitest';
import type { ServerDraft } from '../../../contract/mcp';
import { launchSecrets } from './launch-secrets';

const given = (draft: Partial<ServerDraft>, keys: readonly string[] = [], environment = {}) =>
  launchSecrets({ name: 's', ...draft }, { keys, environment });

const ordinary = {
  AUTH_MODE: 'required',
  AUTHOR: 'Ada Lovelace 1815',
  KEYBOARD: 'de-latin1-nodeadkeys',
  TOKENIZER: 'cl100k_base',
  MAX_TOKENS: '4096',
  KEY_ID: '1234567',
  TOKEN_EXPIRES: '2026-11-23 10:00:00',
  TOKEN_URL: 'https://login.example.com/oauth2/token',
  API_KEY_FILE: '/home/ada/keys/service0123456789abcdef.pem',
  SECRET_FOLDER: 'C:\\secrets\\mine',
  AUTH_HOST: 'login.example.com:8443',
  AUTH_SERVER: 'localhost:8080',
  AUTH_REGION: 'us-east-1',
  AUTH_USER: 'ada@example.com',
  USE_TOKEN: 'true',
  PASSWORD: 'administrator',
  TOKEN: 'short12',
  NODE_ENV: 'production',
  MODEL: 'claude-sonnet-4-5',
  REVISION: '2025-06-18',
  PRIMARY_KEY: 'customer2024Id0123456789',
  CACHE_KEY: 'customer_id_2024',
  SORT_KEY: 'customerId',
  API_KEY: 'customerIdentifier12',
  S3_KEY: 'uploads/report.pdf',
  OBJECT_KEY: 'reports/2024/summary.csv',
  PAT: 'src/**/*.ts',
  TOKEN_LIMIT: '20000000',
  MAX_OUTPUT_TOKENS: '131072000',
  SPREADSHEET_ID: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms',
  AIRTABLE_BASE_ID: 'appAbC1dEfG2hIj3K',
  NOTION_DATABASE_ID: '0123456789abcdef0123456789abcdef',
  COMMIT: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  INDEX_NAME: 'documents2024embeddings',
  SHEET: 'https://docs.example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms/edit',
};

test.each(Object.entries(ordinary))('what %s says is nothing that a result must not say', (name, value) => {
  expect(given({ env: { [name]: value } })).toEqual([]);
  expect(given({ headers: { [`X-${name}`]: value } })).toEqual([]);
  expect(given({ args: [`--${name.toLowerCase()}=${value}`] })).toEqual([]);
  expect(given({ args: [`--${name.toLowerCase()}`, value] })).toEqual([]);
});

test.each([
  { headers: { Accept: 'application/json', 'X-Env': 'production', 'User-Agent': 'tool0123456789abcdef' } },
  { args: ['run', '-y', '@scope/pkg@1.2.3', '--port=80', 'image@sha256:0123456789abcdef0123456789abcdef'] },
  { url: 'https://mcp.example.com/v1/projects/my-project/mcp?region=eu-central-1' },
  {
    args: [
      '-p',
      '8080',
      '-t',
      'node:20-alpine',
      '-k',
      '-p',
      '@scope/pkg0123456789abcdef',
      '--user',
      '1000:1000',
    ],
  },
  {
    args: [
      '-t',
      'registry.test/team/image0123456789abcdef:1.2',
      '-p',
      'src/generated/v2/client0123456789.ts',
    ],
  },
  { command: '/opt/tools/bin/server', cwd: '/home/ada/0123456789abcdef' },
])('neither is what else stands in an entry: %j', (draft) => {
  expect(given(draft)).toEqual([]);
});

const [key, other] = ['q9aBcDeFgHiJ1kLmNoPqR7k', 'Z4x0YwVuTsRqPoNmLkJi97k'];

const serviceAccount = JSON.stringify({
  type: 'service_account',
  private_key: `-----BEGIN PRIVATE KEY-----\n${'k3y'.repeat(21)}\n-----END PRIVATE KEY-----\n`,
  auth_uri: 'https://accounts.example.com/o/oauth2/auth',
});

test.each<[string, Partial<ServerDraft>, string[]]>([
  ['a name', { env: { API_KEY: 'key-of-8a27d0' } }, ['key-of-8a27d0']],
  ...[
    ...['PGPASSWORD', 'NGROK_AUTHTOKEN', 'ACCESSTOKEN', 'ADMINPASSWORD', 'APPSECRET', 'PGPASS', 'DBPASS'],
    ...['SSHPASS', 'SECRETKEY', 'PRIVATEKEY', 'ENCRYPTIONKEY', 'AccountKey2', 'OPENAI_KEYS'],
  ].map((name): [string, Partial<ServerDraft>, string[]] => [
    name,
    { env: { [name]: 'key-of-8a27d0' } },
    ['key-of-8a27d0'],
  ]),
  ...[
    ...['API_KEY_1', 'API_KEY_PROD', 'SECRET_KEY_BASE', 'API_SECRET_V2', 'ACCESS_TOKENS', 'TOKEN_1'],
    ...['API_KEYS', 'CREDS', 'JWT', 'API_TOKEN_LIST', 'COOKIES', 'X-Authentication'],
  ].flatMap((name): [string, Partial<ServerDraft>, string[]][] => [
    [name, { env: { [name]: key } }, [key]],
    [`${name} with two in quotes`, { env: { [name]: `'${key}', "${other}"` } }, [key, other]],
  ]),
  ...['-p', '-k', '-t', '--pass', '--pat', '--bearer', '--jwt', '--session'].map(
    (flag): [string, Partial<ServerDraft>, string[]] => [flag, { args: ['x', flag, key] }, [key]],
  ),
  ...[`-p${key}`, `--pw=${key}`, `https://x.test/v1/${key}/sse`].map(
    (arg): [string, Partial<ServerDraft>, string[]] => [arg, { args: ['x', arg] }, [key]],
  ),
  ['-u in one word', { args: [`-ubob:${key}`] }, [key]],
  ['-b', { args: ['-b', `sid=${key}`] }, [key]],
  ['-P', { args: ['-P', key] }, [key]],
  ['--tokens', { args: ['--tokens', `${key},${other}`] }, [key, other]],
  ['--webhook', { args: ['--webhook', `https://x.test/webhooks/1/${key}`] }, [key]],
  ['a role', { env: { ROLE_SECRET_ID: key } }, [key]],
  ['a connection', { env: { CONNECTION_STRING: key, SENTRY_DSN: other } }, [key, other]],
  [
    'a key of several lines',
    { args: ['--private-key', `-----BEGIN PRIVATE KEY-----\\n${key}\\n-----END PRIVATE KEY-----\\n`] },
    [key],
  ],
  ['-u', { args: ['-u', `bob:${key}`] }, [key]],
  ['--user=', { args: [`--user=bob:${key}`] }, [key]],
  ['--proxy-user', { args: ['--proxy-user', `bob:${key}`] }, [key]],
  ['--user', { args: ['--user', `bob:${key}`] }, [key]],
  ['JSON after a name', { args: ['--env', `KEYS={"token":"${key}"}`] }, [key]],
  ['words of a connection', { env: { PG: `host=x user=y password=${key} dbname=z` } }, [key]],
  ['a webhook', { env: { SLACK_WEBHOOK_URL: `https://x.test/services/T/B/${key}` } }, [key]],
  ['a name in one word', { env: { githubToken: 'key-of-8a27d0' } }, ['key-of-8a27d0']],
  ['its shape', { env: { ANY: `ghp_${'v4lue1of9a8'.repeat(4)}` } }, [`ghp_${'v4lue1of9a8'.repeat(4)}`]],
  ['the folder of an address', { url: 'https://x.test/s/v4lue1of9a8secret/mcp' }, ['v4lue1of9a8secret']],
  ['both ends', { env: { API_KEY: ' key-of-8a27d0\n' } }, ['key-of-8a27d0']],
  ['Bearer', { headers: { Authorization: 'Bearer key-of-8a27d0' } }, ['key-of-8a27d0']],
  ['a cookie', { headers: { Cookie: 'theme=dark; sid=key-of-8a27d0' } }, ['key-of-8a27d0']],
  ['percent', { args: ['pg://me:key%40of8a27d0@h'] }, ['key%40of8a27d0', 'key@of8a27d0']],
  ['an address', { url: 'https://x.test/mcp?token=key-of-8a27d0' }, ['key-of-8a27d0']],
  ['oauth', { oauth: { clientId: 'me', clientSecret: 'key-of-8a27d0' } }, ['key-of-8a27d0']],
  ['a service account', { env: { GOOGLE_CREDENTIALS: serviceAccount } }, ['k3y'.repeat(21)]],
])('a key is known by %s', (_, draft, keys) => {
  expect(given(draft)).toEqual(expect.arrayContaining(keys));
});

test('of a service account only the key is one', () => {
  expect(given({ env: { GOOGLE_CREDENTIALS: serviceAccount } })).toEqual(['k3y'.repeat(21)]);
});

test('what a person stored may be short, but no word and no number that results are made of', () => {
  expect(given({}, ['p4ss', 'a1', 'required', '4096', '/home/ada/key.pem'])).toEqual(['p4ss']);
});

test('a proxy’s name and password are known from the environment', () => {
  expect(given({}, [], { HTTPS_PROXY: 'http://me:key-of-8a27d0@proxy.test:80', HOME: '/home/k' })).toEqual(
    expect.arrayContaining(['key-of-8a27d0']),
  );
});
