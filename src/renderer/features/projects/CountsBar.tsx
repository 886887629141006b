import { labelled } from '../../base/text/format';
import { byStatusOrder, statusTone, statusWord } from './words';

/** How many of each status, as one slim bar; said in words to who can't see it. */
export function CountsBar({ counts, label }: { counts: Readonly<Record<string, number>>; label: string }) {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => byStatusOrder(a, b));
  const words = parts.map(([status, count]) => `${statusWord(status)} ${count}`).join(' · ');
  return (
    <span className="counts-bar" role="img" aria-label={labelled(label, words)} title={words}>
      {parts.map(([status, count]) => (
        <span
          key={status}
          className={`counts-part counts-${statusTone(status)}`}
          style={{ flexGrow: count }}
        />
      ))}
    </span>
  );
}
