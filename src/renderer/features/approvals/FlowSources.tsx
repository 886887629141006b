import type { FlowSource, Reading } from '../../../contract/flow';
import { t } from '../../base/text/text';
import { sourceWords } from './flow-words';

/** What an answer has read, by whose text it is: all of it, since it is what a yes lets go outside. */
export function FlowSources({ sources }: { sources: readonly FlowSource[] }) {
  const of = (reading: Reading) => sources.filter(({ reads }) => reads.includes(reading));
  return (
    <dl className="approval-flow">
      {(['private', 'untrusted'] as const).map((reading) => (
        <div key={reading}>
          <dt>{t(`ask.flow.${reading}`)}</dt>
          {of(reading).map((source) => {
            const words = sourceWords(source);
            return <dd key={words}>{words}</dd>;
          })}
        </div>
      ))}
    </dl>
  );
}
