import { expect, test } from 'vitest';
import type { Vendor } from '../../../contract/providers';
import { t } from '../../base/text/text';
import {
  badNumber,
  configOf,
  draftOf,
  faultsOfProvider,
  isEmbedding,
  parametersOf,
  searchesWeb,
  withVendor,
} from './provider-draft';

const vendor: Vendor = {
  id: 'openai',
  label: 'Open AI',
  formats: ['openai-chat'],
  baseUrls: [],
  needsKey: true,
  keyVariables: [],
  keyPage: null,
  defaultModel: 'm-1',
  models: [],
  address: 'known',
  webSearch: true,
};

test('a vendor suggests its model and a tag that nobody has', () => {
  const draft = withVendor(draftOf(null), vendor, ['OpenAI', 'OpenAI2']);
  expect(draft).toMatchObject({ vendor: 'openai', model: 'm-1', tag: 'OpenAI3' });
});

test('empty boxes are left out and the key is never part of the configuration', () => {
  const draft = { ...withVendor(draftOf(null), vendor, []), key: 'secret', temperature: '0.2' };
  expect(configOf(draft, null)).toEqual({ vendor: 'openai', tag: 'OpenAI', model: 'm-1', temperature: 0.2 });
});

test('editing keeps the id and the parameters', () => {
  const before = {
    id: 'p1',
    vendor: 'openai',
    tag: 'GPT',
    model: 'm',
    parameters: { top_p: 0.5 },
    label: 'Open AI',
    key: 'stored' as const,
    isDefault: true,
    keyRefused: false,
    tagTaken: null,
  };
  expect(configOf(draftOf(before), before)).toEqual({
    id: 'p1',
    vendor: 'openai',
    tag: 'GPT',
    model: 'm',
    parameters: { top_p: 0.5 },
  });
});

test('parameters are a JSON object or nothing', () => {
  expect(parametersOf(' ')).toBeUndefined();
  expect(parametersOf('{"top_p": 0.5}')).toEqual({ top_p: 0.5 });
  expect(parametersOf('[1]')).toBeNull();
  expect(parametersOf('{top_p')).toBeNull();
});

test('streaming is switched off, and on again by leaving it out', () => {
  const draft = withVendor(draftOf(null), vendor, []);
  expect(configOf(draft, null)).not.toHaveProperty('stream');
  const off = configOf({ ...draft, stream: false }, null);
  expect(off).toMatchObject({ stream: false });
  const saved = {
    ...off,
    id: 'p',
    label: 'Open AI',
    key: 'stored' as const,
    isDefault: true,
    keyRefused: false,
    tagTaken: null,
  };
  expect(draftOf(saved).stream).toBe(false);
});

test('the search of the web is offered only in a form that has it', () => {
  expect(searchesWeb(vendor, { format: '' })).toBe(true);
  expect(searchesWeb(vendor, { format: 'openai-responses' })).toBe(true);
  expect(searchesWeb(vendor, { format: 'openai-chat' })).toBe(false);
  expect(searchesWeb({ ...vendor, searchesInChat: true }, { format: 'openai-chat' })).toBe(true);
});

test('a number out of its range is told with the range', () => {
  for (const [name, text] of [
    ['temperature', ''],
    ['temperature', '0.7'],
    ['temperature', '2'],
    ['maxTokens', '1'],
    ['contextSize', ' 8192 '],
  ] as const)
    expect(badNumber(name, text), text).toBeNull();
  for (const text of ['0', '-5', '1.5', 'many', 'Infinity'])
    expect(badNumber('maxTokens', text)).toBe(t('settings.badNumberMin', { min: 1 }));
  expect(badNumber('contextSize', '512')).toBe(t('settings.badNumberMin', { min: 1024 }));
  for (const text of ['2.1', '-1', 'hot'])
    expect(badNumber('temperature', text)).toBe(t('form.outOfRange', { min: 0, max: 2 }));
});

test('what is missing or wrong is told for each box', () => {
  const good = withVendor(draftOf(null), vendor, []);
  const none = { tag: null, model: null, baseUrl: null, details: false };
  expect(faultsOfProvider(good, vendor)).toEqual(none);
  expect(faultsOfProvider({ ...good, tag: ' ', model: '' }, vendor)).toEqual({
    ...none,
    ...{ tag: 'needed', model: 'needed' },
  });
  expect(faultsOfProvider({ ...good, tag: 'two words' }, vendor).tag).toBe('badTag');
  expect(faultsOfProvider(good, { ...vendor, address: 'own' }).baseUrl).toBe('needed');
  expect(faultsOfProvider({ ...good, temperature: '3' }, vendor).details).toBe(true);
  expect(faultsOfProvider({ ...good, parameters: '[]' }, vendor).details).toBe(true);
});

test('only a model of Ollama is told by its name to make vectors', () => {
  const draft = { ...draftOf(null), model: ' nomic-embed-text ' };
  expect(isEmbedding({ ...vendor, id: 'ollama' }, draft)).toBe(true);
  expect(isEmbedding(vendor, draft)).toBe(false);
  expect(isEmbedding({ ...vendor, id: 'ollama' }, { ...draft, model: 'qwen3' })).toBe(false);
});
