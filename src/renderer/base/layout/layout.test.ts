import { beforeEach, expect, test, vi } from 'vitest';
import { insertTarget } from './insert-target';
import { useLayout } from './layout';

const layout = () => useLayout.getState();
const paths = () => layout().tabs.map((tab) => (tab.kind === 'note' ? tab.path : tab.view));
const idOf = (path: string) =>
  layout().tabs.find((tab) => tab.kind === 'note' && tab.path === path)?.id ?? '';
const active = () => {
  const tab = layout().tabs.find(({ id }) => id === layout().activeTab);
  return tab ? (tab.kind === 'note' ? tab.path : tab.view) : null;
};

/** `there`: what the vault holds; left out: that is not known yet. */
const target = (there?: string[]) => insertTarget(layout(), there && new Set(there))?.path ?? null;

beforeEach(() => {
  layout().enterVault(null);
  layout().enterVault('/vault');
});

test('a note that is open already is shown, not opened twice', () => {
  layout().openNote('a.md');
  layout().openNote('b.md');
  layout().openNote('a.md');
  expect(paths()).toEqual(['a.md', 'b.md']);
  expect(active()).toBe('a.md');
});

test('closing the shown tab shows the one before it, and the next where there is none', () => {
  for (const path of ['a.md', 'b.md', 'c.md']) layout().openNote(path);
  layout().activate(idOf('b.md'));
  layout().closeTab(idOf('b.md'));
  expect(active()).toBe('a.md');
  layout().closeTab(idOf('a.md'));
  expect(active()).toBe('c.md');
  layout().closeTab(idOf('c.md'));
  expect(active()).toBeNull();
});

test('a note that is looked up is wanted where it was left, one that is made to be written at its end', () => {
  layout().visit('a.md');
  expect([active(), layout().focusRequest]).toEqual(['a.md', { path: 'a.md', at: 'kept' }]);
  layout().writeIn('b.md');
  expect([active(), layout().focusRequest]).toEqual(['b.md', { path: 'b.md', at: 'end' }]);
});

test('tabs follow a renamed note and a renamed folder', () => {
  layout().openNote('old/a.md');
  layout().openNote('older.md');
  layout().openNote('old/deep/b.md');
  layout().renamed('old', 'new');
  expect(paths()).toEqual(['new/a.md', 'older.md', 'new/deep/b.md']);
  expect(active()).toBe('new/deep/b.md');
});

test('a tab is the same one wherever its note is moved, and what waits for the note goes along', () => {
  layout().visit('a.md');
  const before = layout().activeTab;
  layout().renamed('a.md', 'old/a.md');
  layout().renamed('old', 'new');
  expect([layout().activeTab, active()]).toEqual([before, 'new/a.md']);
  expect(layout().focusRequest).toEqual({ path: 'new/a.md', at: 'kept' });
  layout().openNote('a.md');
  expect(paths()).toEqual(['new/a.md', 'a.md']);
  expect(layout().activeTab).not.toBe(before);
});

test('a note that is moved to where another tab stood has one tab, the shown one', () => {
  for (const path of ['a.md', 'b.md']) layout().openNote(path);
  const shown = layout().activeTab;
  layout().renamed('a.md', 'b.md');
  expect([layout().activeTab, paths()]).toEqual([shown, ['b.md']]);
});

test('the tabs of a deleted folder close, its namesakes stay', () => {
  layout().openNote('old/a.md');
  layout().openNote('older.md');
  layout().openView('health');
  layout().removed('old');
  expect(paths()).toEqual(['older.md', 'health']);
});

test('another vault begins with no tabs, the same one keeps them', () => {
  layout().openNote('a.md');
  layout().enterVault('/vault');
  expect(paths()).toEqual(['a.md']);
  layout().enterVault('/other');
  expect(paths()).toEqual([]);
});

test('what is inserted waits for the editor of the note that was looked at last, wherever that is moved', () => {
  layout().openNote('a.md');
  layout().openView('servers');
  expect(target()).toBe('a.md');
  layout().insertInto('a.md', () => undefined);
  expect(layout().tabs.find(({ id }) => id === layout().activeTab)).toMatchObject({ path: 'a.md' });
  layout().renamed('a.md', 'b.md');
  expect(layout()).toMatchObject({ insertion: { path: 'b.md' }, focusRequest: { path: 'b.md' } });
  expect(target()).toBe('b.md');
  layout().endInsertion();
  expect(layout().insertion).toBeNull();
});

test('what another window or program moved is followed by the tabs that are not shown; the shown note follows by itself', () => {
  for (const path of ['old/a.md', 'old/plan.canvas', 'old/b.md']) layout().openNote(path);
  layout().renamedElsewhere('old', 'new');
  expect(paths()).toEqual(['new/a.md', 'new/plan.canvas', 'old/b.md']);
  layout().activate(idOf('new/plan.canvas'));
  layout().renamedElsewhere('new', 'newer');
  expect(paths()).toEqual(['newer/a.md', 'newer/plan.canvas', 'old/b.md']);
  layout().activate(idOf('newer/a.md'));
  const shown = layout().activeTab;
  layout().renamedElsewhere('old/b.md', 'newer/a.md');
  expect([layout().activeTab, paths()]).toEqual([shown, ['newer/a.md', 'newer/plan.canvas']]);
});

test('inserted is into the note that was looked at last of those that are open and there, or else into another one', () => {
  for (const path of ['a.md', 'b.md', 'c.md', 'plan.canvas']) layout().openNote(path);
  layout().activate(idOf('a.md'));
  layout().activate(idOf('b.md'));
  layout().openView('servers');
  expect(target()).toBe('b.md');
  expect(target(['a.md', 'c.md'])).toBe('a.md');
  layout().renamed('b.md', 'd.md');
  expect(target()).toBe('d.md');
  layout().removed('d.md');
  expect(target()).toBe('a.md');
  layout().closeTab(idOf('a.md'));
  layout().closeTab(idOf('c.md'));
  expect(target()).toBeNull();
});

test('where nothing is known of what was looked at, any open note is one to insert into', () => {
  layout().openNote('a.md');
  layout().openView('servers');
  useLayout.setState({ looked: [] });
  expect(target(['a.md'])).toBe('a.md');
  expect(target([])).toBeNull();
});

test('what was not put in yet is forgotten once something else is shown, or its note is gone', () => {
  layout().openNote('a.md');
  layout().openNote('b.md');
  layout().insertInto('a.md', () => undefined);
  expect(layout().insertion).not.toBeNull();
  layout().activate(idOf('b.md'));
  expect(layout().insertion).toBeNull();
  layout().insertInto('a.md', () => undefined);
  layout().removed('a.md');
  expect(layout().insertion).toBeNull();
});

test('inserted is where the person is in the note, or was, and at its end where they have not been', () => {
  const editor = { insertBlock: vi.fn(), insertForeignText: vi.fn(), insertTurns: vi.fn() };
  const rest = { readOnly: false, focus: vi.fn(), press: vi.fn(), type: vi.fn(), goTo: vi.fn() };
  layout().openNote('a.md');
  layout().openNote('b.md');
  const leave = layout().registerEditor({ path: 'b.md', ...editor, ...rest });
  layout().insertInto('b.md', () => undefined);
  expect(layout().focusRequest?.at).toBe('kept');
  layout().insertInto('a.md', () => undefined);
  expect(layout().focusRequest?.at).toBe('kept-or-end');
  leave();
});

test('a note that could not be changed when it was shown is remembered as that, wherever it is moved, until it can', () => {
  const editor = { insertBlock: vi.fn(), insertForeignText: vi.fn(), insertTurns: vi.fn() };
  const rest = { focus: vi.fn(), press: vi.fn(), type: vi.fn(), goTo: vi.fn() };
  layout().openNote('a.md');
  layout().registerEditor({ path: 'a.md', readOnly: true, ...editor, ...rest })();
  layout().openView('servers');
  layout().renamed('a.md', 'b.md');
  expect(layout().locked).toEqual([idOf('b.md')]);
  layout().registerEditor({ path: 'b.md', readOnly: false, ...editor, ...rest })();
  expect(layout().locked).toEqual([]);
});
