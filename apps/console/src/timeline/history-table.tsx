import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { timestamp } from '../parts/format.js';
import type { TimelineEvent } from './rounds.js';

const ROW_PX = 33;
const OVERSCAN = 12;

interface HistoryProps {
  readonly events: readonly TimelineEvent[];
  readonly selected: string | undefined;
  readonly onSelect: (event: string) => void;
}

/** The raw record: every event, as it is in the log. */
export function HistoryTable({ events, selected, onSelect }: HistoryProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div ref={box} className="history" tabIndex={0} role="group" aria-label="Recorded events">
      <table className="list" aria-label="History" aria-rowcount={events.length + 1}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col" className="right">
              Revision
            </th>
            <th scope="col" className="wide">
              Data
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" className="spacer" style={{ height: above }} />}
          {shown.map(({ index }) => {
            const event = events[index];
            return (
              event && (
                <HistoryRow key={index} index={index} event={event} selected={selected} onSelect={onSelect} />
              )
            );
          })}
          {below > 0 && <tr aria-hidden="true" className="spacer" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

const SHOWN = 300;

type HistoryRowProps = Omit<HistoryProps, 'events'> & {
  readonly index: number;
  readonly event: TimelineEvent;
};

function HistoryRow({ index, event, selected, onSelect }: HistoryRowProps) {
  const key = `${event.stream}@${event.revision}`;
  return (
    <tr aria-rowindex={index + 2} aria-selected={key === selected ? true : undefined}>
      <td className="number history-time">{timestamp(event.occurredAt)}</td>
      <td>
        <button type="button" className="link-button" onClick={() => onSelect(key)}>
          {event.type}
        </button>
      </td>
      <td className="right number">{event.revision}</td>
      <td className="wide">
        <span className="cut mono">
          {event.leftOut && `without ${event.leftOut.join(', ')}: `}
          {JSON.stringify(event.data).slice(0, SHOWN)}
        </span>
      </td>
    </tr>
  );
}
