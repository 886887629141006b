import { expect, test } from 'vitest';
import { fillTemplate, readPromptNote } from './prompts';
import { readPromptSlides, readTars } from './tars';

const vendors = ['openai', 'anthropic', 'azure', 'qianfan', 'qwen', 'openai-compatible'];
const addresses: Record<string, string[]> = {
  openai: ['https://api.openai.com/v1'],
  anthropic: ['https://api.anthropic.com'],
};
const read = (data: unknown) =>
  readTars(
    data,
    (id) => vendors.includes(id),
    (id) => addresses[id] ?? [],
  );

test('TARS’s providers come with key, address and the parameters that override everything', () => {
  const { providers, skipped } = read({
    providers: [
      {
        tag: 'Claude',
        vendor: 'Claude',
        options: {
          apiKey: 'k1',
          baseURL: 'https://api.anthropic.com/v1/messages',
          model: 'claude-sonnet-5-5',
          max_tokens: 4096,
          enableThinking: true,
          budget_tokens: 1600,
          enableWebSearch: true,
          parameters: { temperature: 0.2 },
        },
      },
      {
        tag: 'Local',
        vendor: 'OpenAI',
        options: { apiKey: '', baseURL: 'http://127.0.0.1:1234/v1', model: 'm', parameters: {} },
      },
      {
        tag: 'Cloud',
        vendor: 'Azure',
        options: {
          endpoint: 'https://r.openai.azure.com',
          apiVersion: '2024-10-21',
          model: 'dep',
          apiKey: 'k2',
        },
      },
      { tag: 'Wen', vendor: 'QianFan', options: { apiKey: 'a', apiSecret: 'b', model: 'ernie' } },
      { tag: 'Draw', vendor: 'GptImage', options: { apiKey: 'k3', model: 'gpt-image' } },
      { tag: 'Two words', vendor: 'Qwen', options: { model: 'q' } },
    ],
  });
  expect(providers).toEqual([
    {
      key: 'k1',
      config: {
        vendor: 'anthropic',
        tag: 'Claude',
        model: 'claude-sonnet-5-5',
        maxTokens: 4096,
        reasoningEffort: 'medium',
        webSearch: true,
        parameters: { temperature: 0.2 },
      },
    },
    {
      key: '',
      config: {
        vendor: 'openai-compatible',
        format: 'openai-chat',
        tag: 'Local',
        model: 'm',
        baseUrl: 'http://127.0.0.1:1234/v1',
      },
    },
    {
      key: 'k2',
      config: {
        vendor: 'azure',
        tag: 'Cloud',
        model: 'dep',
        baseUrl: 'https://r.openai.azure.com',
        apiVersion: '2024-10-21',
      },
    },
    { key: '', config: { vendor: 'qianfan', tag: 'Wen', model: 'ernie' } },
  ]);
  expect(skipped).toHaveLength(3);
  expect(skipped.join()).toContain('GptImage');
});

test('settings that are not TARS’s come to nothing instead of failing', () => {
  for (const data of [null, 7, [], { providers: 'x', userTags: [1] }]) {
    expect(read(data)).toMatchObject({ providers: [], prompts: [], tags: { user: [] } });
  }
});

test('TARS’s note of templates is read slide by slide', () => {
  const note =
    '# Prompts\nHow to.\n\n---\n\n# Translate\n\nInto French: {{s}}\n\n---\n\nno heading\n\n---\n\n## Tidy\nTidy up.\n';
  expect(readPromptSlides(note)).toEqual([
    { title: 'Translate', template: 'Into French: {{s}}' },
    { title: 'Tidy', template: 'Tidy up.' },
  ]);
});

test('a prompt’s arguments are those it lists and those it names', () => {
  const prompt = readPromptNote(
    '.interlinear/prompts/Letter.md',
    '---\ndescription: A letter\narguments:\n  - name: tone\n    description: how it sounds\n---\nWrite to {{who}} in a {{tone}} tone, {{date}}: {{selection}}\n',
  );
  expect(prompt).toMatchObject({
    name: 'Letter',
    description: 'A letter',
    arguments: [
      { name: 'tone', description: 'how it sounds' },
      { name: 'who', description: '' },
    ],
    takesSelection: true,
  });
});

test('a selection that has no place in the template stands above it; unknown names stay as written', () => {
  expect(fillTemplate('Translate {{ s }} for {{who}}', 'this', { who: 'Ann' })).toBe(
    'Translate this for Ann',
  );
  expect(fillTemplate('Sum it up. {{other}}', 'text', {})).toBe('text\n\nSum it up. {{other}}');
  expect(fillTemplate('{{selection}}', '{{date}} $&', { date: 'x' })).toBe('{{date}} $&');
});
