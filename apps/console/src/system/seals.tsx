import { useQuery } from '@tanstack/react-query';
import type { SealView } from '#lib/client';
import { usePages } from '../data/pages.js';
import { useMay } from '../data/principal.js';
import { isUnknown, server } from '../data/server.js';
import { ActionButton } from '../parts/action-button.js';
import { CopyButton } from '../parts/copy-button.js';
import { whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty, Loading, Problem } from '../parts/notice.js';
import { SaveButton } from '../parts/save-button.js';
import { Badge } from '../parts/status.js';
import { Ago, Timestamp } from '../parts/time.js';

const KEY = ['seals'];

const COLUMNS: { readonly [heading: string]: Column<SealView> } = {
  Seal: { cell: ({ index }) => whole(index) },
  Sealed: { cell: ({ sealedAt }) => <Timestamp time={sealedAt} /> },
  Events: { right: true, cell: ({ events }) => whole(events) },
  Root: { wide: true, cell: ({ root }) => <span className="id">{root.slice(0, 16)}…</span> },
  Signed: { cell: (seal) => <Signed {...seal} /> },
};

/** The last seal of the log, the advice to keep it, and all seals. */
export function Seals() {
  const latest = useQuery({ queryKey: [...KEY, 'latest'], queryFn: () => server().getLatestSeal() });
  const { data, error } = latest;
  return (
    <section aria-labelledby="seals">
      <h2 id="seals">Seals</h2>
      {isUnknown(error) && (
        <Empty title="The log has no seal yet">
          <p>A running server seals it every minute.</p>
          <SealNow />
        </Empty>
      )}
      {error && !isUnknown(error) && <Problem error={error} />}
      {!data && !error && <Loading />}
      {data && <LastSeal seal={data} />}
      {data && data.index > 0 && <EarlierSeals />}
    </section>
  );
}

function SealNow() {
  return useMay('operator') ? (
    <ActionButton label="Seal now" act={() => server().sealLog()} changes={KEY} />
  ) : null;
}

function LastSeal({ seal }: { readonly seal: SealView }) {
  const { index, events, root, sealedAt, log, keyId } = seal;
  return (
    <div className="card">
      <div className="fact-line">
        <Signed {...seal} />
        <span>
          Seal {whole(index)}, over {whole(events)} events, <Ago time={sealedAt} />
        </span>
        <span className="row-actions">
          <SealNow />
          <SaveButton
            label="Save seal"
            file={`seal-${index}.json`}
            type="application/json"
            read={async () => `${JSON.stringify(seal, null, 2)}\n`}
          />
          <CopyButton
            label="Copy check of the log"
            text={`redial verify --since seal-${index}.json${keyId === undefined ? '' : ' --public-key seal.pub'}`}
          />
        </span>
      </div>
      <dl className="readable">
        <div>
          <dt>Root</dt>
          <dd className="id">{root}</dd>
        </div>
        <div>
          <dt>Log</dt>
          <dd className="id">{log}</dd>
        </div>
        {keyId !== undefined && (
          <div>
            <dt>Key</dt>
            <dd className="id">{keyId}</dd>
          </div>
        )}
      </dl>
      <p className="dim">
        The root proves every event below it. Keep the seal where those who can write to the log cannot: the
        check compares the log with it, and also finds a tail that was cut off.
        {keyId === undefined &&
          ' Without a signature it only shows accidents: set REDIAL_SEAL_KEY to a private key.'}
      </p>
    </div>
  );
}

function EarlierSeals() {
  const list = usePages(KEY, (page) => server().listSeals(page));
  return (
    <details className="about section-note">
      <summary>All seals</summary>
      <ListTable
        label="Seals"
        list={list}
        columns={COLUMNS}
        keyOf={({ index }) => String(index)}
        empty={null}
      />
    </details>
  );
}

function Signed({ signature }: SealView) {
  return (
    <Badge tone={signature === undefined ? 'warn' : 'good'}>
      {signature === undefined ? 'not signed' : 'signed'}
    </Badge>
  );
}
