import { useEffect } from 'react';
import { useConnected } from '../../base/core/connected';
import { useCore } from '../../base/core/core';
import { takeUpNotes } from '../../base/drafts/unsent-notes';
import { handOnUnsent } from './sync/join-note';

/** What was typed before this window was loaded anew, or in one that is gone, is handed on without its note being opened. */
export function UnsentNotes({ vault }: { vault: string }) {
  const core = useCore();
  const connected = useConnected();
  useEffect(() => {
    if (!connected) return;
    void takeUpNotes(vault).then(() => handOnUnsent(core, vault));
  }, [core, vault, connected]);
  return null;
}
