import { useEffect, useSyncExternalStore } from 'react';
import { queryClient, readAgain } from './query-client.js';
import { shareConnection } from './shared-connection.js';

/** Of a log that is written to all the time, a page is read again once a second. */
const BEAT_MS = 1_000;

let isLost = false;
const listeners = new Set<() => void>();

function setLost(value: boolean): void {
  if (isLost === value) return;
  isLost = value;
  for (const listener of listeners) listener();
}

/** Whether the event stream is away. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}

/** Reads what is on the page again when the log has moved, and when the connection is back; what is not, when it is opened. */
export function usePulse(): void {
  useEffect(() => {
    const leaving = new AbortController();
    const beat = inBeats(leaving.signal, readAgain);
    const askWhoAmI = () => void queryClient.invalidateQueries({ queryKey: ['principal'] });
    let known: string | undefined;
    void shareConnection(
      leaving.signal,
      (message) => {
        const isBack = isLost && !message.isLost;
        setLost(message.isLost);
        if (isBack || message.position !== known) beat();
        known = message.position;
      },
      askWhoAmI,
    );
    return () => leaving.abort();
  }, []);
}

/** Does it now and, if it is asked for in the meantime, once more after a beat: a slow answer is not given up for a newer one. */
function inBeats(signal: AbortSignal, work: () => Promise<void>): () => void {
  let isWanted = false;
  let isWorking = false;
  const beat = async () => {
    isWorking = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
    }
    isWorking = false;
  };
  return () => {
    isWanted = true;
    if (!isWorking) void beat();
  };
}
