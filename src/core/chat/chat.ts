import type { NoteAsk, NotePower, NoteRun, Run, ToolLine } from '../../contract/chat';
import type { PromptTurns } from '../../contract/mcp';
import type { SeenState } from '../../contract/notes';
import type { Conversation } from '../../markdown';
import type { Observable } from '../foundation';
import type { ReadSource } from '../tools';
import type { RunRequest } from './note/run-request';
import type { ChatPreview } from './question/preview';
import type { BlockPlace } from './tool-blocks/by-hand';

export interface Chat {
  readonly runs: Observable<Run[]>;
  run(request: RunRequest): Promise<{ runId: string; finished: Promise<NoteRun> }>;
  stop(runId: string): void;
  /** Marks the answers that an app that died left in this vault. To be called when its notes were recovered. */
  markLeft(vault: string, recovered: readonly string[]): Promise<void>;
  /** Takes up the calls that were left at their servers, in this vault or in none. */
  resumeTasks(vault: string | null): void;
  /**
   * Stops every run and call; resolves when the last has written its end. What goes on at a server by itself is left
   * to it.
   */
  stopAll(): Promise<void>;
  runBlock(place: BlockPlace): Promise<{ callId: string }>;
  stopCall(callId: string): void;
  /** Who would answer at a place; null where nobody can. */
  answerer(place: {
    path: string;
    at: number;
    version: number;
    tag?: string | undefined;
  }): Promise<{ tag: string; model: string; unavailable: string[] } | null>;
  /** What a note says that gives power over the next answer at its end: what of it waits for the person, and what they agreed to. */
  power(path: string): Promise<{ ask: NoteAsk | null; agreed: readonly NotePower[] }>;
  preview(
    place: { path: string; at: number; version: number; tag?: string },
    signal: AbortSignal,
  ): Promise<ChatPreview>;
  /** As it would be read for a question now. */
  parse(text: string): Conversation;
  /** What stands in a note’s conversation and is not the person’s own word. */
  reads(path: string): Promise<readonly ReadSource[]>;
  /** What tools wrote into an open note and the person has not accepted as theirs. */
  toolLines(path: string, signal: AbortSignal): AsyncIterable<ToolLine[]>;
  /** These lines of tools are the person’s word from now on. */
  acceptLines(path: string, lines: readonly string[]): void;
  /** A template of the vault was put into a note: who wrote that is not known. `selection`: words of the person’s in it. */
  promptFilled(prompt: { name: string; text: string; selection: string }): void;
  promptTurns(prompt: {
    server: string;
    name: string;
    content: PromptTurns;
  }): Promise<{ role: 'user' | 'assistant'; text: string }[]>;
  /** Marks calls that an earlier start of the app left running. To be called when a note has been opened. */
  markInterrupted(path: string, seen?: SeenState | null): Promise<void>;
  close(): Promise<void>;
}
