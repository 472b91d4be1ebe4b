import { Link } from '@tanstack/react-router';
import type { SetAsideView } from '#lib/client';
import { usePages } from '../data/pages.js';
import { useMay } from '../data/principal.js';
import { server } from '../data/server.js';
import { ActionButton } from '../parts/action-button.js';
import { shortId, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Ago } from '../parts/time.js';

const KEY = ['recovery'];
const ID_LENGTH = 36;

const COLUMNS: { readonly [heading: string]: Column<SetAsideView> } = {
  'Set aside': { cell: (one) => <SetAside {...one} /> },
  'Why it cannot go on': {
    cell: ({ failure, needs }) => (
      <>
        {failure}
        {needs !== undefined && <p className="dim">It needs {needs}.</p>}
      </>
    ),
  },
  Attempts: { wide: true, right: true, cell: ({ attempts }) => whole(attempts) },
  Since: { wide: true, right: true, cell: ({ since }) => <Ago time={since} /> },
};

const WITH_ACTIONS = { ...COLUMNS, Actions: { cell: (one: SetAsideView) => <Actions {...one} /> } };

/** Work that no process continues: each item with the reason, and the actions of operators. */
export function Recovery() {
  const mayAct = useMay('operator');
  const list = usePages(KEY, (page) => server().listRecovery(page));
  return (
    <section aria-labelledby="recovery">
      <h2 id="recovery">Recovery</h2>
      <ListTable
        label="Recovery"
        list={list}
        columns={mayAct ? WITH_ACTIONS : COLUMNS}
        keyOf={({ stream }) => stream}
        empty={<Empty title="No work is set aside" />}
      />
    </section>
  );
}

function SetAside({ stream, workflow }: SetAsideView) {
  const id = stream.slice(-ID_LENGTH);
  return (
    <>
      {workflow}{' '}
      <Link to={workflow === 'session' ? '/sessions/$id' : '/runs/$id'} params={{ id }} className="id">
        {shortId(id)}
      </Link>
    </>
  );
}

function Actions({ stream, workflow }: SetAsideView) {
  return (
    <div className="row-actions">
      <ActionButton label="Start again" act={() => server().retryRecovery({ stream })} changes={KEY} />
      <ActionButton
        label="Give up"
        act={() => server().giveUpRecovery({ stream })}
        changes={KEY}
        warning={{
          title: `Give up this ${workflow}`,
          text: 'It ends as failed, and the log records that an operator gave it up. It cannot be started again.',
        }}
      />
    </div>
  );
}
