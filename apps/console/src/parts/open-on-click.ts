import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** Makes a row open its link; links and controls in it, and a selection of its text, still work. */
export function useOpenOnClick(to: string | undefined): ((event: MouseEvent) => void) | undefined {
  const navigate = useNavigate();
  if (to === undefined) return undefined;
  return ({ target }) => {
    const isOwn = (target as Element).closest('a, button, input, select, label') !== null;
    if (isOwn || String(window.getSelection()) !== '') return;
    void navigate({ to });
  };
}
