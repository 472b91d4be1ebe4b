import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef } from 'react';
import { useAddress, useId, useSetAddress } from '../app/address.js';
import type { Search } from '../app/search-params.js';
import { useShortcuts } from '../app/shortcuts.js';
import { Empty, Loading, Problem } from '../parts/notice.js';
import type { Events } from '../data/events.js';
import { EventRegion } from './event-region.js';
import { shortId } from '../parts/format.js';
import type { TimelineEvent } from './rounds.js';

/** Events, and the selected one beside them. Its address is `?event=<stream>@<revision>`. */
export function WithEvent({
  query: { list, readWhole },
  children,
}: {
  readonly query: Events;
  readonly children: (shown: {
    readonly events: readonly TimelineEvent[];
    readonly selected: string | undefined;
    readonly onSelect: (event: string | undefined) => void;
  }) => ReactNode;
}) {
  const { event: selected } = useAddress();
  const set = useSetAddress();
  const onSelect = useCallback((event: string | undefined) => set({ event }), [set]);
  const box = useRef<HTMLDivElement>(null);
  const close = () => {
    if (box.current) keepFocus(box.current);
    onSelect(undefined);
  };
  useShortcuts({ Escape: close });
  if (list.error) return <Problem error={list.error} />;
  if (!list.data) return <Loading />;
  const events = list.data.events as readonly TimelineEvent[];
  if (events.length === 0) return <Empty title="No events" />;
  const event = events.find(({ stream, revision }) => `${stream}@${revision}` === selected);
  return (
    <>
      <Children events={events} />
      {selected !== undefined && !event && list.dataUpdatedAt > 0 && <Elsewhere event={selected} />}
      <div ref={box} className={event ? 'with-event' : 'without-event'}>
        {children({ events, selected, onSelect })}
        {event && (
          <EventRegion key={selected} event={event} events={events} readWhole={readWhole} onClose={close} />
        )}
      </div>
    </>
  );
}

/** Before the event is closed with the focus in it: the focus goes to the row that opened it, or to the rows. */
function keepFocus(box: HTMLElement): void {
  if (!document.activeElement?.closest('.event-region')) return;
  const row = box.querySelector<HTMLElement>('tr[aria-selected=true] button');
  (row ?? box.querySelector<HTMLElement>('[role=treegrid], .history'))?.focus({ preventScroll: true });
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?=@\d+$)/;

/** The address names an event that the page does not have: of a run that was started by those on the page, or after the shown time. */
function Elsewhere({ event }: { readonly event: string }) {
  const here = useId();
  const { at } = useAddress();
  const [id] = UUID.exec(event) ?? [];
  return (
    <p className="callout" role="status">
      <span>
        This page does not have the event <span className="id">{event}</span>.
      </span>
      {id !== undefined && id !== here && (
        <Link to="/runs/$id" params={{ id }} search={{ event }}>
          The run that has it
        </Link>
      )}
      {id === here && at !== undefined && (
        <Link to="." search={(before: Search) => ({ ...before, at: undefined })}>
          Back to now
        </Link>
      )}
    </p>
  );
}

/** The most runs that are named; the others are found at their events. */
const MOST_CHILDREN = 12;

/** The started runs. Their events, approvals included, are on their own pages. */
function Children({ events }: { readonly events: readonly TimelineEvent[] }) {
  const started = events.filter(({ type, data }) => type === 'ChildStarted' && data.runId !== undefined);
  if (started.length === 0) return null;
  return (
    <p className="fact-line children">
      <span className="fact-name">Runs that it started</span>
      {started.slice(0, MOST_CHILDREN).map(({ data: { runId = '', workflow } }) => (
        <Link key={runId} to="/runs/$id" params={{ id: runId }}>
          {workflow} {shortId(runId)}
        </Link>
      ))}
      {started.length > MOST_CHILDREN && (
        <span className="dim">and {started.length - MOST_CHILDREN} more, at their events</span>
      )}
    </p>
  );
}
