import { useEffect } from 'react';
import { create } from 'zustand';
import { unseen } from '../../base/parts/fresh';

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
