import { useState } from 'react';
import type { HookDelivery, HookView, RegisterHookInput } from '#lib/client';
import { usePages } from '../data/pages.js';
import { useMay } from '../data/principal.js';
import { server } from '../data/server.js';
import { type Field, namesIn } from '../forms/fields.js';
import { ActionButton } from '../parts/action-button.js';
import { FormDialog } from '../parts/form-dialog.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Status } from '../parts/status.js';
import { LastAttempt } from './last-attempt.js';

const KEY = ['hooks'];

const FIELDS: readonly Field[] = [
  { name: 'hookId', label: 'Id', kind: 'text', isNeeded: true },
  { name: 'url', label: 'Address', kind: 'text', isNeeded: true },
  {
    name: 'types',
    label: 'Types',
    kind: 'text',
    isNeeded: true,
    hint: 'Separated by commas, such as task.opened, round.decided, run.failed',
  },
  {
    name: 'machineName',
    label: 'Machine',
    kind: 'text',
    isNeeded: false,
    hint: 'Only events of this machine',
  },
  {
    name: 'secretName',
    label: 'Variable of the secret',
    kind: 'text',
    isNeeded: false,
    hint: 'It holds whsec_… in the environment of the server; its name ends in HOOK_TOKEN or WEBHOOK_TOKEN',
  },
];

const COLUMNS: { readonly [heading: string]: Column<HookView> } = {
  Hook: {
    cell: ({ hookId, url, machineName }) => (
      <>
        {hookId}
        <p className="dim breaks">
          {url}
          {machineName !== undefined && `, about ${machineName} alone`}
        </p>
      </>
    ),
  },
  Tells: { wide: true, cell: ({ types }) => types.join(', ') },
  Status: { cell: (hook) => <Status status={statusOf(hook)} /> },
};

function statusOf({ disabled, gone }: HookView): string {
  if (gone) return 'gone';
  return disabled ? 'disabled' : 'enabled';
}

/** The hooks: addresses that get messages about events, and the deliveries to each. */
export function Hooks() {
  const mayChange = useMay('operator');
  const [chosen, setShown] = useState<string>();
  const list = usePages(KEY, (page) => server().listHooks(page));
  // It may have been deleted meanwhile, here or elsewhere.
  const shown = list.items.find(({ hookId }) => hookId === chosen)?.hookId;
  const change: Column<HookView> = {
    cell: (hook) => (
      <div className="row-actions">
        <button
          type="button"
          className="quiet-button"
          aria-pressed={shown === hook.hookId}
          onClick={() => setShown(shown === hook.hookId ? undefined : hook.hookId)}
        >
          Deliveries
        </button>
        {mayChange && <Actions {...hook} />}
      </div>
    ),
  };
  return (
    <section aria-labelledby="hooks">
      <div className="section-head">
        <h2 id="hooks">Hooks</h2>
        {mayChange && <AddHook />}
      </div>
      <ListTable
        label="Hooks"
        list={list}
        columns={{ ...COLUMNS, Actions: change }}
        keyOf={({ hookId }) => hookId}
        empty={<Empty title="No hooks yet" />}
      />
      {shown !== undefined && <Deliveries hookId={shown} mayChange={mayChange} />}
    </section>
  );
}

function AddHook() {
  const add = ({ types, ...hook }: { readonly [name: string]: unknown }) =>
    server().registerHook({ ...hook, types: namesIn(String(types)) } as RegisterHookInput);
  return (
    <FormDialog
      button="Add hook"
      title="Add hook"
      verb="Add"
      fields={FIELDS}
      begun={{}}
      send={add}
      changes={KEY}
    />
  );
}

function Actions({ gone: _, ...hook }: HookView) {
  const { hookId, disabled } = hook;
  const [said, setSaid] = useState<string>();
  const test = async () => {
    const { status, error } = await server().testHook({ hookId });
    setSaid(error ?? `answered ${status}`);
  };
  return (
    <>
      <ActionButton label="Test" act={test} changes={KEY} />
      <ActionButton
        label={disabled ? 'Enable' : 'Disable'}
        act={() => server().registerHook({ ...hook, disabled: !disabled } as RegisterHookInput)}
        changes={KEY}
      />
      <ActionButton
        label="Delete"
        act={() => server().deleteHook({ hookId })}
        changes={KEY}
        warning={{ title: `Delete ${hookId}`, text: 'Its waiting deliveries are dropped.' }}
      />
      {said !== undefined && (
        <span role="status" className="dim">
          {said}
        </span>
      )}
    </>
  );
}

const DELIVERY: { readonly [heading: string]: Column<HookDelivery> } = {
  Type: { cell: ({ type }) => type },
  Status: { cell: ({ status }) => <Status status={status} /> },
  'Last attempt': { cell: ({ attempts }) => <LastAttempt attempts={attempts} /> },
};

function Deliveries({ hookId, mayChange }: { readonly hookId: string; readonly mayChange: boolean }) {
  const key = [...KEY, hookId];
  const list = usePages(key, (page) => server().listHookDeliveries({ hookId, ...page }));
  const again: Column<HookDelivery> = {
    cell: ({ deliveryId, status }) =>
      status === 'parked' && (
        <ActionButton
          label="Try again"
          act={() => server().retryHookDelivery({ hookId, deliveryId })}
          changes={key}
        />
      ),
  };
  return (
    <>
      <h3>Deliveries of {hookId}</h3>
      <ListTable
        label="Deliveries"
        list={list}
        columns={mayChange ? { ...DELIVERY, Actions: again } : DELIVERY}
        keyOf={({ deliveryId }) => deliveryId}
        empty={<Empty title="No deliveries yet" />}
      />
    </>
  );
}
