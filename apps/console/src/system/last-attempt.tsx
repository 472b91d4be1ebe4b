import type { DeliveryAttempt } from '#lib/client';
import { count } from '../parts/format.js';
import { Ago } from '../parts/time.js';

/** The result of the last attempt of a delivery, and the number of attempts. */
export function LastAttempt({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
  const last = attempts.at(-1);
  if (!last) return <>–</>;
  const { at, status, error } = last;
  return (
    <>
      {error ?? `answered ${status ?? 'well'}`}
      <p className="dim">
        {count(attempts.length, 'attempt')}, <Ago time={at} />
      </p>
    </>
  );
}
