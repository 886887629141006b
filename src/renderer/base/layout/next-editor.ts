import { composed } from './composing';
import type { Layout, LayoutStore, Wanted } from './layout-state';

type NextEditorActions = Pick<
  Layout,
  'writeIn' | 'writeInMade' | 'leaveFor' | 'visit' | 'arrived' | 'insertInto' | 'endInsertion'
>;

/** Which editor takes the focus next, also that of a note that is still being made, and what is put in there. */
export function createNextEditorActions({ setState: set, getState: get }: LayoutStore): NextEditorActions {
  const goOnIn = (path: string, at: 'end' | 'kept') => {
    get().openNote(path);
    set({ wanted: { path, at } });
  };

  return {
    writeIn: (path) => goOnIn(path, 'end'),
    writeInMade: async (making, at = 'end', unmade = () => null) => {
      const request: Wanted = { path: null, at };
      set({ wanted: request });
      try {
        const note = await making;
        if (note) {
          get().openNote(note.path);
          set({ wanted: { path: note.path, at, asked: request } });
        } else set({ notMade: { wanted: request, asked: unmade(null), error: null } });
      } catch (error) {
        set({ notMade: { wanted: request, asked: unmade(error), error } });
        throw error;
      } finally {
        if (get().wanted === request) set({ wanted: null });
      }
    },
    leaveFor: (making, at, unmade) => {
      const { modal: former, writeInMade } = get();
      const note = making.then(async (result) => {
        // What is typed meanwhile is typed in the dialog.
        await composed();
        set(({ modal }) => ({ modal: modal === former ? null : modal }));
        return result;
      });
      writeInMade(note, at, unmade).catch(() => undefined);
    },
    visit: (path) => goOnIn(path, 'kept'),
    arrived: () => set({ wanted: null }),
    insertInto: (path, put) => {
      get().openNote(path);
      const isHere = get().editor?.path === path;
      set({ insertion: { path, put }, wanted: { path, at: isHere ? 'kept' : 'kept-or-end' } });
    },
    endInsertion: () => set({ insertion: null }),
  };
}
