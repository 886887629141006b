import { collab } from '@codemirror/collab';
import { Compartment, type EditorState, type Extension, type TransactionSpec } from '@codemirror/state';

/** Whatever holds an editor state: a view on the screen, or a variable in a test. */
export interface StateHolder {
  readonly state: EditorState;
  dispatch(...specs: TransactionSpec[]): void;
}

const part = new Compartment();

/** Counts nothing until a session has been joined: what the core opens is not the person's change. */
export const notYetJoined: Extension = part.of([]);

/** @codemirror/collab reads its start version once, so a new session needs it taken out and put in again. */
export const leave = () => part.reconfigure([]);
export const join = (startVersion: number, clientID: string) =>
  part.reconfigure(collab({ startVersion, clientID }));
