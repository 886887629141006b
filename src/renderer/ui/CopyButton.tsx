import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './IconButton';
import { useUiWords } from './words';

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const words = useUiWords();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <IconButton
      size="s"
      icon={copied ? Check : Copy}
      label={copied ? words.copied : (label ?? words.copy)}
      onClick={copy}
    />
  );
}
