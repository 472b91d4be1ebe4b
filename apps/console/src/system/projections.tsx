import type { ProjectionView } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { count, whole } from '../parts/format.js';
import { Readable } from '../parts/json-view.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Status } from '../parts/status.js';

const COLUMNS: { readonly [heading: string]: Column<ProjectionView> } = {
  Projection: {
    cell: ({ name, error }) => (
      <>
        {name}
        {error && <Failing error={error} />}
      </>
    ),
  },
  Status: { cell: ({ status }) => <Status status={status} /> },
  Place: { wide: true, right: true, cell: ({ position }) => <Place position={position} /> },
  'Events behind': { right: true, cell: ({ lag }) => whole(lag) },
  Version: { wide: true, right: true, cell: ({ version }) => version },
};

/** How far the rows, from which lists are answered, have followed the log. */
export function Projections() {
  const list = useWholeList(['projections'], () => server().listProjections());
  const [first] = list.items;
  const failing = list.items.filter(({ error }) => error !== undefined).length;
  const behind = list.items.filter(({ status }) => status !== 'live').length;
  return (
    <section aria-labelledby="projections">
      <h2 id="projections">Projections</h2>
      {first && (
        <p className="dim section-note">
          {behind === 0 ? 'All have followed the log' : `${count(behind, 'projection')} not live`}
          {failing > 0 && `, ${whole(failing)} with an error`}. The log ends at place{' '}
          <Place position={first.headPosition} />.
        </p>
      )}
      <ListTable
        label="Projections"
        list={list}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty={<Empty title="No projections" />}
      />
    </section>
  );
}

/** The last part of a position: the first part names the log, and is the same in all. */
function Place({ position }: { readonly position: string | null }) {
  if (position === null) return <>–</>;
  return (
    <span title={position}>{position.slice(position.lastIndexOf('.') + 1).replace(/^0+(?=\d)/, '')}</span>
  );
}

/** The event that stops a projection, if the server names one. */
function Failing({ error }: { readonly error: object }) {
  const { message, stream, revision, ...others } = error as {
    readonly message?: string;
    readonly stream?: string;
    readonly revision?: number;
  };
  return (
    <div className="failing">
      <p>{message}</p>
      {stream !== undefined && (
        <p className="dim">
          at revision {revision} of <span className="id">{stream}</span>
        </p>
      )}
      <details>
        <summary>More</summary>
        <Readable value={others} />
      </details>
    </div>
  );
}
