/** Keys as they stand on the keyboard, one box each. */
export function Kbd({ keys }: { keys: string[] }) {
  return (
    <span className="ui-keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
