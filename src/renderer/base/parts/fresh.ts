import { useEffect, useState } from 'react';

/** Milliseconds: a key or a press that was meant for something else does not answer what just came. */
export const unseen = 500;

/** Whether what is shown has only just come: a press at its place was meant for what stood there before. */
export function useIsFresh(content: string | object): boolean {
  const [seen, setSeen] = useState<string | object | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(content), unseen);
    return () => clearTimeout(timer);
  }, [content]);
  return seen !== content;
}
