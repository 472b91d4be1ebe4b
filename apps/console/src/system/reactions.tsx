import { useState } from 'react';
import type { ParkedDelivery, ReactionView } from '#lib/client';
import { usePages } from '../data/pages.js';
import { useMay } from '../data/principal.js';
import { server } from '../data/server.js';
import { ActionButton } from '../parts/action-button.js';
import { whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { LastAttempt } from './last-attempt.js';

const KEY = ['reactions'];

/** The reactions to events, those of hooks included: the place of each, and its parked deliveries. */
export function Reactions() {
  const [chosen, setShown] = useState<string>();
  const list = usePages(KEY, (page) => server().listReactions(page));
  // The reaction of a deleted hook is gone.
  const shown = list.items.find(({ name }) => name === chosen)?.name;
  const columns: { readonly [heading: string]: Column<ReactionView> } = {
    Reaction: {
      cell: ({ name, error }) => (
        <>
          {name}
          {error !== undefined && <p className="failing">{error}</p>}
        </>
      ),
    },
    'Events behind': { right: true, cell: ({ lag }) => (lag === null ? '–' : whole(lag)) },
    Parked: {
      right: true,
      cell: ({ name, parked }) =>
        parked === 0 ? (
          whole(parked)
        ) : (
          <button
            type="button"
            className="quiet-button"
            aria-pressed={shown === name}
            onClick={() => setShown(shown === name ? undefined : name)}
          >
            {whole(parked)} parked
          </button>
        ),
    },
  };
  return (
    <section aria-labelledby="reactions">
      <h2 id="reactions">Reactions</h2>
      <ListTable
        label="Reactions"
        list={list}
        columns={columns}
        keyOf={({ name }) => name}
        empty={<Empty title="No reactions" />}
      />
      {shown !== undefined && <Parked name={shown} />}
    </section>
  );
}

const COLUMNS: { readonly [heading: string]: Column<ParkedDelivery> } = {
  Event: {
    cell: ({ type, stream, revision }) => (
      <>
        {type}
        <p className="dim breaks">
          revision {revision} of {stream}
        </p>
      </>
    ),
  },
  'Last attempt': { cell: ({ attempts }) => <LastAttempt attempts={attempts} /> },
};

function Parked({ name }: { readonly name: string }) {
  const mayChange = useMay('operator');
  const list = usePages([...KEY, name], (page) => server().listParkedDeliveries({ name, ...page }));
  const actions: Column<ParkedDelivery> = {
    cell: ({ deliveryId: id }) => (
      <div className="row-actions">
        <ActionButton label="Try again" act={() => server().retryDelivery({ name, id })} changes={KEY} />
        <ActionButton
          label="Drop"
          act={() => server().dropDelivery({ name, id })}
          changes={KEY}
          warning={{ title: 'Drop this delivery', text: `${name} never gets the event.` }}
        />
      </div>
    ),
  };
  return (
    <>
      <h3>Parked by {name}</h3>
      <ListTable
        label="Parked"
        list={list}
        columns={mayChange ? { ...COLUMNS, Actions: actions } : COLUMNS}
        keyOf={({ deliveryId }) => deliveryId}
        empty={<Empty title="No parked deliveries" />}
      />
    </>
  );
}
