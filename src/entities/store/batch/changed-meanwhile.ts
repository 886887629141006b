import { ToolFailure } from '../../base/failures';
import { diffSinceRead, type Shown } from '../../base/refusal-words';

/** Between reading and writing; who begins anew sees what it is now. */
export class ChangedMeanwhile extends ToolFailure {
  readonly path: string;
  /** Its text as it was read. */
  readonly #read: string | undefined;

  constructor(path: string, read?: string, difference?: Shown) {
    const all = difference?.hidden
      ? `, all of it: ${difference.hidden} characters of the difference are not shown,`
      : '';
    super('conflict', `“${path}” was changed by another program just now.`, {
      hint: `Read it again${all} and repeat the change.`,
      ...(difference && { difference: difference.text }),
    });
    this.path = path;
    this.#read = read;
  }

  /** For who does not begin anew; `now`: its text by now. */
  withDifference(now: string | undefined): ChangedMeanwhile {
    if (this.#read === undefined || now === undefined) return this;
    return new ChangedMeanwhile(this.path, this.#read, diffSinceRead(this.path, this.#read, now));
  }
}
