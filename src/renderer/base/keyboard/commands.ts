import { useEffect } from 'react';
import { create } from 'zustand';
import { matchesKeys, type Pressed } from './keys';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Other words that people look for it by. */
  readonly keywords?: string;
  /** For example `Mod-Shift-t`. */
  readonly keys?: string;
  /** Does the same, but is not told: not everywhere do these keys arrive. */
  readonly heardToo?: string;
  /** False: not offered, and its keys do nothing. */
  readonly when?: () => boolean;
  /** Keys belong to whoever has the focus (the editor); told here, never handled here. */
  readonly shownOnly?: boolean;
  /** False: its keys do nothing now, though it is offered. */
  readonly hears?: () => boolean;
  /** The one thing that it does something to, where another one may come in its place. */
  readonly about?: string;
  /** Is run again and again while its keys are held. */
  readonly repeats?: boolean;
  run(): void;
}

interface Registry {
  readonly commands: ReadonlyMap<string, Command>;
  /** A command stands in the place of an earlier one with its id for as long as it is registered. */
  register(commands: readonly Command[]): () => void;
}

export const useCommands = create<Registry>((set) => {
  let layers: { readonly added: readonly Command[] }[] = [];
  const show = (changed: typeof layers) => {
    layers = changed;
    const all = layers.flatMap(({ added }) => added.map((command) => [command.id, command] as const));
    set({ commands: new Map(all) });
  };
  return {
    commands: new Map(),
    register(added) {
      const layer = { added };
      show([...layers, layer]);
      return () => show(layers.filter((other) => other !== layer));
    },
  };
});

/** Offers commands as long as the component is shown. `commands` must be memoised. */
export function useRegisteredCommands(commands: readonly Command[]): void {
  const register = useCommands((registry) => registry.register);
  useEffect(() => register(commands), [register, commands]);
}

export function runCommand(id: string): void {
  const command = useCommands.getState().commands.get(id);
  if (command && (command.when?.() ?? true)) command.run();
}

export function commandFor(event: Pressed): Command | undefined {
  for (const command of useCommands.getState().commands.values()) {
    const isPressed = [command.keys, command.heardToo].some((keys) => keys && matchesKeys(keys, event));
    if (command.shownOnly || !isPressed) continue;
    if ((command.when?.() ?? true) && (command.hears?.() ?? true)) return command;
  }
  return undefined;
}

const typedInto = 'input, textarea, select';

/** Escape in a box is about the box: it never reaches what stands around it. */
const leavesBox = ({ key, target }: KeyboardEvent) =>
  key === 'Escape' && target instanceof Element && target.matches(typedInto);

/** Handles the keys of every registered command until the returned function is called. */
export function listenForKeys(target: Window): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || leavesBox(event)) return;
    const command = commandFor(event);
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    // A key that is held means the one thing that it was pressed for.
    if (!event.repeat || command.repeats) command.run();
  };
  target.addEventListener('keydown', pressed);
  return () => target.removeEventListener('keydown', pressed);
}
