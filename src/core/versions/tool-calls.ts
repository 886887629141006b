import type { Deadlines } from './deadlines';
import type { Versions } from './versions';
import type { CallsUnderWay, KnownNotes } from './watch/calls';
import type { DiskKeeper } from './watch/disk';

/** Before and after tool calls: what they write is heard of, and is theirs. */
export interface ToolCalls extends Pick<Versions, 'callBegins' | 'callEnds'> {
  /** Tools may have changed files of which nothing was heard yet. */
  mayHaveChanged(): boolean;
  hearAll(): Promise<void>;
}

export function createToolCalls({
  calls,
  disk,
  deadlines,
  isKept,
}: {
  calls: CallsUnderWay;
  disk: DiskKeeper;
  deadlines: Deadlines;
  isKept: () => boolean;
}): ToolCalls {
  const { inTime, whenClosing } = deadlines;
  let isChanged = false;

  return {
    async callBegins(call) {
      if (!isKept()) return;
      if (call.readOnly) return;
      isChanged = true;
      let before: KnownNotes | null = null;
      const notesBefore = disk.knownNotes().then((notes) => {
        before = notes;
      });
      await inTime(notesBefore);
      calls.begin(call, before);
    },
    callEnds(callId) {
      calls.answered(callId);
      const hearing = inTime(disk.heard()).finally(() => calls.end(callId));
      whenClosing(hearing);
      return hearing;
    },
    mayHaveChanged: () => isChanged,
    async hearAll() {
      await inTime(disk.heard());
      await disk.settled();
    },
  };
}
