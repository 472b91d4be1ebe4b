import { useSetAddress } from '../app/address.js';
import type { AtMoment } from '../data/moment.js';
import { Slider } from './slider.js';

/** Selects a revision of a history, from the first event to now. The page then shows no later event. */
export function TimeSlider({ moment }: { readonly moment: AtMoment<{ readonly revision: number }> }) {
  const { at, shown, last } = moment;
  const set = useSetAddress();
  if (last === undefined || last === 0) return null;
  const isNow = at.at === undefined;
  // The slider stays where it is put while the server has not answered yet, and where it refuses the moment.
  const revision = isNow ? last : (revisionIn(at.at) ?? shown.data?.revision);
  const go = (to: number) =>
    set({ at: to >= last ? undefined : String(to), event: undefined }, { replace: true });
  return (
    <Slider
      id="time"
      label="Time"
      max={last}
      value={revision ?? last}
      words={isNow ? 'now' : revision === undefined ? `at ${at.at}` : `after revision ${revision} of ${last}`}
      onChange={go}
      back={isNow ? undefined : { label: 'Back to now', go: () => go(last) }}
    />
  );
}

/** The revision that the address names; `undefined` for a time. */
function revisionIn(at = ''): number | undefined {
  return /^\d+$/.test(at) ? Number(at) : undefined;
}
