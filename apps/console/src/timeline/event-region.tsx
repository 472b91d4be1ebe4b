import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Events } from '../data/events.js';
import { Raw, Readable } from '../parts/json-view.js';
import { Loading, Problem } from '../parts/notice.js';
import { Timestamp } from '../parts/time.js';
import { CallLink } from './call-link.js';
import type { TimelineEvent } from './rounds.js';

/** The selected event: its parts as text, or the whole as JSON. */
export function EventRegion({
  event,
  events,
  readWhole,
  onClose,
}: {
  readonly event: TimelineEvent;
  readonly events: readonly TimelineEvent[];
  readonly readWhole: Events['readWhole'];
  readonly onClose: () => void;
}) {
  const [isRaw, setRaw] = useState(false);
  const { type, stream, revision, occurredAt, summary, data } = event;
  return (
    <section aria-label="Event" className="event-region">
      <header>
        <h2>{type}</h2>
        <div className="event-buttons">
          <button type="button" className="quiet-button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            Raw
          </button>
          <button type="button" className="quiet-button" onClick={onClose} aria-label="Close the event">
            ✕
          </button>
        </div>
      </header>
      <p className="event-summary">{summary}</p>
      <p className="dim event-place">
        <Timestamp time={occurredAt} /> · <span className="id">{stream}</span> · revision {revision}
      </p>
      {type === 'ChildStarted' && data.runId !== undefined && (
        <p>
          <Link to="/runs/$id" params={{ id: data.runId }}>
            The run: its events, calls and result
          </Link>
        </p>
      )}
      {type.startsWith('LlmCall') && <CallLink event={event} events={events} />}
      {event.leftOut === undefined ? (
        <Content event={event} isRaw={isRaw} />
      ) : (
        <WholeContent event={event} isRaw={isRaw} readWhole={readWhole} />
      )}
    </section>
  );
}

interface ContentProps {
  readonly event: Pick<TimelineEvent, 'data'>;
  readonly isRaw: boolean;
}

function Content({ event, isRaw }: ContentProps) {
  return isRaw ? <Raw value={event} /> : <Readable value={event.data} />;
}

/** The list has a part of a large event. The rest is read when the event is opened, once: events never change. */
function WholeContent({
  event,
  isRaw,
  readWhole,
}: ContentProps & { readonly event: TimelineEvent; readonly readWhole: Events['readWhole'] }) {
  const name = `${event.stream}@${event.revision}`;
  const whole = useQuery({
    queryKey: ['event', event.eventId],
    queryFn: async () => (await readWhole(name)) ?? null,
    // Not read again with new events.
    staleTime: 'static',
  });
  if (whole.error) return <Problem error={whole.error} />;
  return whole.data ? <Content event={whole.data} isRaw={isRaw} /> : <Loading />;
}
