import { relative, timestamp } from './format.js';
import { useNow } from './use-now.js';

/** How long ago, with the exact time for the pointer and for programs. */
export function Ago({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={`${timestamp(time)} UTC`}>
      {relative(time, useNow())}
    </time>
  );
}

export function Timestamp({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={time} className="number">
      {timestamp(time)}
    </time>
  );
}
