import { composed } from './composing';
import type { FocusRequest, Layout, LayoutStore } from './layout-state';

type NextEditorActions = Pick<
  Layout,
  'writeIn' | 'writeInMade' | 'leaveFor' | 'visit' | 'arrived' | 'insertInto' | 'endInsertion'
>;

/** Which editor takes the focus next, also that of a note that is still being made, and what is put in there. */
export function createNextEditorActions({ setState: set, getState: get }: LayoutStore): NextEditorActions {
  const goOnIn = (path: string, at: 'end' | 'kept') => {
    get().openNote(path);
    set({ focusRequest: { path, at } });
  };

  return {
    writeIn: (path) => goOnIn(path, 'end'),
    writeInMade: async (making, at = 'end', unmade = () => null) => {
      const request: FocusRequest = { path: null, at };
      set({ focusRequest: request });
      try {
        const note = await making;
        if (note) {
          get().openNote(note.path);
          set({ focusRequest: { path: note.path, at, origin: request } });
        } else set({ notMade: { focusRequest: request, note: unmade(null), error: null } });
      } catch (error) {
        set({ notMade: { focusRequest: request, note: unmade(error), error } });
        throw error;
      } finally {
        if (get().focusRequest === request) set({ focusRequest: null });
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
    arrived: () => set({ focusRequest: null }),
    insertInto: (path, put) => {
      get().openNote(path);
      const isHere = get().editor?.path === path;
      set({ insertion: { path, put }, focusRequest: { path, at: isHere ? 'kept' : 'kept-or-end' } });
    },
    endInsertion: () => set({ insertion: null }),
  };
}
