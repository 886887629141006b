import type { NoteRun, Run } from '../../contract/chat';
import type { PromptTurns } from '../../contract/mcp';
import type { SeenState } from '../../contract/notes';
import type { ToolCallout } from '../../markdown';
import type { Observable } from '../foundation';
import type { RunRequest } from './note/run-request';
import type { NotePower } from './question/note-power';

/** A call that a person wanted once more was not made. */
export interface NotRunAgain {
  readonly note: string;
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

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
  /** `shown`: the call that the person was shown there; any other is refused. */
  runBlock(place: {
    path: string;
    at: number;
    version: number;
    shown?: Pick<ToolCallout, 'server' | 'tool' | 'arguments'>;
  }): Promise<{ callId: string }>;
  stopCall(callId: string): void;
  /** Who would answer at a place; null where nobody can. */
  answerer(place: {
    path: string;
    at: number;
    version: number;
    tag?: string | undefined;
  }): Promise<{ tag: string; model: string; unavailable: string[] } | null>;
  /** What the next answer at a note’s end would run on because the note says so; null: on nothing of the kind. */
  power(path: string): Promise<NotePower | null>;
  preview(
    place: { path: string; at: number; version: number; tag?: string },
    signal: AbortSignal,
  ): Promise<ChatPreview>;
  promptTurns(prompt: {
    server: string;
    name: string;
    said: PromptTurns;
  }): Promise<{ role: 'user' | 'assistant'; text: string }[]>;
  /** Marks calls that an earlier start of the app left running. To be called when a note has been opened. */
  recover(path: string, seen?: SeenState | null): Promise<void>;
  close(): Promise<void>;
}

export interface ChatPreview {
  readonly provider: string | null;
  readonly model: string | null;
  readonly turns: number;
  readonly estimatedTokens: number;
  readonly toolTokens: number;
  readonly tools: number;
  readonly contextWindow: number | null;
  readonly estimatedCost: number | null;
  readonly expanded: { target: string; server: string | null; characters: number; tokens: number }[];
  readonly attachments: { target: string; mediaType: string; bytes: number }[];
  readonly warnings: string[];
  /** Of the warnings: what was to go along and this model does not take. */
  readonly unsent: string[];
}
