import { useSetAddress } from '../app/address.js';
import type { AtMoment } from '../data/moment.js';
import { Slider } from './slider.js';

/** Selects a revision of a history, from the first event to now. The page then shows no later event. */
export function TimeSlider({ moment }: { readonly moment: AtMoment<{ readonly revision: number }> }) {
  const { at, shown, last } = moment;
  const set = useSetAddress();
  if (last === undefined || last === 0) return null;
  const isNow = at.at === undefined;
  const revision = isNow ? last : (shown.data?.revision ?? last);
  const go = (to: number) =>
    set({ at: to >= last ? undefined : String(to), event: undefined }, { replace: true });
  return (
    <Slider
      id="time"
      label="Time"
      max={last}
      value={revision}
      words={isNow ? 'now' : `after revision ${revision} of ${last}`}
      onChange={go}
      back={isNow ? undefined : { label: 'Back to now', go: () => go(last) }}
    />
  );
}
