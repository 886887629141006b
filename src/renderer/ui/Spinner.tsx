import { useUiWords } from './words';

export function Spinner({ size = 14, label }: { size?: number; label?: string }) {
  const { loading } = useUiWords();
  return (
    <svg
      className="ui-spinner"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      role="img"
      aria-label={label ?? loading}
    >
      <circle cx="8" cy="8" r="6.25" fill="none" strokeWidth="1.75" />
      <path d="M14.25 8A6.25 6.25 0 0 0 8 1.75" fill="none" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  );
}
