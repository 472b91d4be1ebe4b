import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Raw, Readable } from '../parts/json-view.js';
import { Timestamp } from '../parts/time.js';
import { CallLink } from './call-link.js';
import type { TimelineEvent } from './rounds.js';

/** The selected event: its parts as text, or the whole as JSON. */
export function EventRegion({
  event,
  events,
  onClose,
}: {
  readonly event: TimelineEvent;
  readonly events: readonly TimelineEvent[];
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
      {isRaw ? <Raw value={event} /> : <Readable value={data} />}
    </section>
  );
}
