import { useEffect, useRef } from 'react';
import { preference } from './preferences.js';

/** The action of each key, by `KeyboardEvent.key`. */
type Shortcuts = { readonly [key: string]: () => void };

/** Keys that act on a page, unless the person has switched them off, writes a text, or holds a control key. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (preference('shortcuts') === 'off' || belongsToElement(event)) return;
      const act = current.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Fields take every key; links, buttons, tabs and summaries take Enter; an open dialog takes all. */
function belongsToElement({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('dialog, input, select, textarea')) return true;
  return key === 'Enter' && target.closest('a, button, summary, [role=tab]') !== null;
}
