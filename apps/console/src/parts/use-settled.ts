import { useEffect, useState } from 'react';

const SETTLED_MS = 250;

/** The text once it has not changed for a moment: a slider that is moved asks the server once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
