import { Link } from '@tanstack/react-router';
import { useMutation } from '@tanstack/react-query';
import type { Divergence } from '#lib/client';
import type { Search } from '../app/search-params.js';
import { count } from './format.js';
import { Raw } from './json-view.js';
import { Problem } from './notice.js';

/** The members of a report that replays of every kind have. */
interface Report {
  readonly identical: boolean;
  readonly streamsChecked: number;
  readonly eventsChecked: number;
  readonly eventsTaken: number;
  readonly open: number;
  /** Streams whose content was erased or left out; absent if there are none. */
  readonly erased?: number;
  readonly divergences: readonly Divergence[];
}

/** Derives the history again from its external events, and compares it event by event. */
export function ReplayTab({ verify }: { readonly verify: () => Promise<Report> }) {
  const replay = useMutation({ mutationFn: verify });
  return (
    <div className="replay">
      <p>
        A replay derives every decision again from the recorded replies of models and people, calls nobody,
        and compares the result with the record, event by event.
      </p>
      <button type="button" className="primary" disabled={replay.isPending} onClick={() => replay.mutate()}>
        Verify replay
      </button>
      <div role="status" className="replay-result">
        {replay.isPending && 'Replaying …'}
        {replay.data && <Result report={replay.data} />}
      </div>
      {replay.error && <Problem error={replay.error} />}
    </div>
  );
}

function Result({ report }: { readonly report: Report }) {
  const { identical, eventsChecked, eventsTaken, streamsChecked, open, erased = 0, divergences } = report;
  if (!identical) return <Divergences divergences={divergences} />;
  return (
    <div className="verdict good">
      <p className="verdict-word">identical</p>
      <p>
        {count(eventsChecked, 'event')} derived again, {count(eventsTaken, 'event')} taken as recorded, in{' '}
        {count(streamsChecked, 'stream')}
        {open > 0 && `; ${open} not finished yet`}.
        {erased > 0 && ` ${count(erased, 'stream')} without content: only their structure was checked.`}
      </p>
    </div>
  );
}

function Divergences({ divergences }: { readonly divergences: readonly Divergence[] }) {
  return (
    <>
      {divergences.map(({ stream, revision, type, pointer, recorded, replayed }) => (
        <div key={stream} className="verdict bad">
          <p className="verdict-word">
            diverges at revision {revision} {pointer}
          </p>
          <p className="dim">
            <Link
              to="."
              search={(before: Search) => ({ ...before, tab: undefined, event: `${stream}@${revision}` })}
            >
              {type}
            </Link>{' '}
            in <span className="id">{stream}</span>
          </p>
          <div className="two">
            <section aria-label="Recorded">
              <h3>Recorded</h3>
              <Raw value={recorded} />
            </section>
            <section aria-label="Replayed">
              <h3>Replayed</h3>
              <Raw value={replayed} />
            </section>
          </div>
        </div>
      ))}
    </>
  );
}
