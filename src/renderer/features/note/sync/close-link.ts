import { connection } from '../../../base/core/connected';
import { finish, isUnsent, type LinkState } from './link-state';

/** How long a closed editor goes on trying to hand on what was typed. */
const lastPushMs = 30_000;

/** An editor that is closed while its last keys are on their way hands them on first. */
export function closeLink(link: LinkState): void {
  const { parts, waits, keeper, closing } = link;
  link.isClosed = true;
  const end = () => !isUnsent(link) && finish(link);
  waits.add(end);
  const giveUp = () => {
    // Words for an app that is away wait for it.
    if (!connection.isThere) return wait();
    closing.abort();
    void keeper.keepForSure(parts.editor.state.doc.toString()).then((isKept) => isKept && parts.onEnd?.());
  };
  let limit: ReturnType<typeof setTimeout>;
  const wait = () => {
    limit = setTimeout(giveUp, lastPushMs);
  };
  wait();
  closing.signal.addEventListener('abort', () => clearTimeout(limit));
  end();
}
