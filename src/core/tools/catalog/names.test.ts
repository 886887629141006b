import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelNames, type NamedTool, plainModelName } from './names';
import { nearestNames } from './nearest';

const tool = fc.record({
  serverId: fc.string({ minLength: 1, maxLength: 8 }),
  serverName: fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a', 'a__b', 'a.b', 'A b', '我')),
  name: fc.oneof(
    fc.string({ minLength: 1, maxLength: 90 }),
    fc.constantFrom('b__c', 'c', 'b.c', 'b/c', 'b_c'),
  ),
});
const distinctTools = fc.uniqueArray(tool, {
  selector: ({ serverId, name }) => JSON.stringify([serverId, name]),
});

test('every name is one that all providers take, and names one tool only', () => {
  fc.assert(
    fc.property(distinctTools, (tools) => {
      const names = modelNames(tools);
      expect(new Set(names).size).toBe(tools.length);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    }),
    { numRuns: 500 },
  );
});

test('a name does not depend on the order in which servers come up', () => {
  fc.assert(
    fc.property(distinctTools, (tools) => {
      const byTool = (list: NamedTool[]) =>
        new Map(modelNames(list).map((name, index) => [JSON.stringify(list[index]), name]));
      const names = byTool(tools);
      for (const [key, name] of byTool([...tools].reverse())) expect(names.get(key)).toBe(name);
    }),
  );
});

test('plain names stay readable; only those that meet get a hash', () => {
  const tools = [
    { serverId: '1', serverName: 'memory', name: 'find' },
    { serverId: '2', serverName: 'a', name: 'b__c' },
    { serverId: '3', serverName: 'a__b', name: 'c' },
  ];
  const [plain, ...met] = modelNames(tools);
  expect(plain).toBe('memory__find');
  expect(met[0]).toMatch(/^a__b__c_[0-9a-f]{8}$/);
  expect(met[1]).not.toBe(met[0]);
});

test('a mistyped name finds the right one first, a strange one finds nothing', () => {
  const names = ['memory__create_entities', 'memory__read_graph', 'files__list_files', 'files__read_file'];
  expect(nearestNames('memory__create_entity', names)[0]).toBe('memory__create_entities');
  expect(nearestNames('readFile', names)).toContain('files__read_file');
  expect(nearestNames('zzzzqqqq', names)).toEqual([]);
});

test('a tool of no server has its own name', () => {
  expect(plainModelName('', 'find')).toBe('find');
});
