import { useEffect, useState } from 'react';
import { create } from 'zustand';

/** Milliseconds: a key or a press that was pressed for something else does not answer a call that just came. */
const unseen = 500;

const useArmed = create<{ readonly id: string | null }>(() => ({ id: null }));

/** Whether the keys answer this question by now. */
export const useIsArmed = (id: string): boolean => useArmed((armed) => armed.id === id);

export const isArmed = (id: string): boolean => useArmed.getState().id === id;

/** From half a second on that it is the one to be answered. */
export function useArming(id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => useArmed.setState({ id }), unseen);
    return () => {
      clearTimeout(timer);
      useArmed.setState({ id: null });
    };
  }, [id]);
}

/** Whether what is shown has only just come: a press at its place was meant for what stood there before. */
export function useIsFresh(id: string): boolean {
  const [seenId, setSeen] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(id), unseen);
    return () => clearTimeout(timer);
  }, [id]);
  return seenId !== id;
}
