import { useRef, useState } from 'react';
import type { Question } from './view-methods';

const firstHeight = 200;
export const maxHeight = 640;

export interface AskedQuestion {
  readonly ask: Question;
  answer(yes: boolean): void;
}

/**
 * What a view asks the person, one question at a time, and how high the view is. What asks stays where it is: a view moves no
 * button below a finger that is about to press.
 */
export function useViewQuestion() {
  const [question, setQuestion] = useState<AskedQuestion | null>(null);
  const [height, setHeight] = useState(firstHeight);
  const asking = useRef(false);
  const heightAfter = useRef<number | null>(null);
  return {
    question,
    height,
    isAsking: () => asking.current,
    /** False where something is asked already. */
    ask(next: Question): Promise<boolean> {
      if (asking.current) return Promise.resolve(false);
      asking.current = true;
      return new Promise<boolean>((resolve) => {
        setQuestion({
          ask: next,
          answer: (yes) => {
            asking.current = false;
            setQuestion(null);
            if (heightAfter.current !== null) setHeight(heightAfter.current);
            heightAfter.current = null;
            resolve(yes);
          },
        });
      });
    },
    resize(pixels: number): void {
      const next = Math.round(Math.min(maxHeight, Math.max(40, pixels)));
      if (asking.current) heightAfter.current = next;
      else setHeight(next);
    },
    drop(): void {
      setQuestion(null);
      asking.current = false;
      heightAfter.current = null;
    },
  };
}
