import { useSetAddress } from '../app/address.js';
import type { AtMoment } from '../data/moment.js';

/** Goes through the revisions of a history, from the first event to now. Nothing later is on the page then. */
export function TimeSlider({ moment }: { readonly moment: AtMoment<{ readonly revision: number }> }) {
  const { at, shown, last } = moment;
  const set = useSetAddress();
  if (last === undefined || last === 0) return null;
  const revision = at.at === undefined ? last : (shown.data?.revision ?? last);
  const words = at.at === undefined ? 'now' : `after revision ${revision} of ${last}`;
  const go = (to: number) =>
    set({ at: to >= last ? undefined : String(to), event: undefined }, { replace: true });
  return (
    <div className="time-slider">
      <label htmlFor="time">Time</label>
      <input
        id="time"
        type="range"
        min={0}
        max={last}
        value={revision}
        aria-valuetext={words}
        onChange={(event) => go(Number(event.target.value))}
      />
      <span className="dim">{words}</span>
      {at.at !== undefined && (
        <button type="button" className="quiet-button" onClick={() => go(last)}>
          Back to now
        </button>
      )}
    </div>
  );
}
