import { useState } from 'react';
import type { PersonView, RegisterPersonInput } from '#lib/client';
import { usePages } from '../data/pages.js';
import { useMay } from '../data/principal.js';
import { server } from '../data/server.js';
import { type Field, namesIn } from '../forms/fields.js';
import { ActionButton } from '../parts/action-button.js';
import { CopyButton } from '../parts/copy-button.js';
import { Dialog } from '../parts/dialog.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Ago } from '../parts/time.js';
import { FormDialog } from '../parts/form-dialog.js';

const KEY = ['people', 'list'];

const COLUMNS: { readonly [heading: string]: Column<PersonView> } = {
  Person: {
    cell: ({ personId, name }) => (
      <>
        {personId}
        {name !== undefined && <p className="dim">{name}</p>}
      </>
    ),
  },
  Role: { cell: ({ role }) => role },
  Groups: { wide: true, cell: ({ groups = [] }) => groups.join(', ') || '–' },
  Since: { wide: true, right: true, cell: ({ createdAt }) => <Ago time={createdAt} /> },
};

const GROUPS: Field = {
  name: 'groups',
  label: 'Groups',
  kind: 'text',
  isNeeded: false,
  hint: 'Names, separated by commas. Definitions name groups of people who decide',
};

const PERSON: readonly Field[] = [
  { name: 'personId', label: 'Id', kind: 'text', isNeeded: true },
  { name: 'name', label: 'Name', kind: 'text', isNeeded: false },
  {
    name: 'role',
    label: 'Role',
    kind: 'select',
    isNeeded: true,
    options: ['viewer', 'reviewer', 'operator'],
    hint: 'A viewer reads; a reviewer also answers and decides; an operator may do everything',
  },
  GROUPS,
];

/** A new token. It is shown once: the server keeps only its hash. */
interface Given {
  readonly personId: string;
  readonly token: string;
}

/** People, their roles and groups; operators also make their tokens. */
export function People() {
  const mayChange = useMay('operator');
  const [given, setGiven] = useState<Given>();
  const list = usePages(KEY, (page) => server().listPeople(page));
  const actions = {
    Change: { cell: (person: PersonView) => <Actions person={person} onToken={setGiven} /> },
  };
  return (
    <section aria-labelledby="people">
      <div className="section-head">
        <h2 id="people">People and tokens</h2>
        {mayChange && <AddPerson onToken={setGiven} />}
      </div>
      <ListTable
        label="People"
        list={list}
        columns={mayChange ? { ...COLUMNS, ...actions } : COLUMNS}
        keyOf={({ personId }) => personId}
        empty={<Empty title="No people are registered" />}
      />
      <Dialog
        title={`Token of ${given?.personId ?? ''}`}
        isOpen={given !== undefined}
        onClose={() => setGiven(undefined)}
      >
        <div className="dialog-form">
          <p>It is shown once. With it, {given?.personId} logs in here and calls the API.</p>
          <code className="token">{given?.token}</code>
          <p className="buttons">
            <CopyButton label="Copy token" text={given?.token ?? ''} />
            <button type="button" className="primary" onClick={() => setGiven(undefined)}>
              Done
            </button>
          </p>
        </div>
      </Dialog>
    </section>
  );
}

type OnToken = (given: Given) => void;

function AddPerson({ onToken }: { readonly onToken: OnToken }) {
  const add = async (value: object) => {
    const { groups, ...person } = value as Omit<RegisterPersonInput, 'groups'> & { readonly groups?: string };
    const { token } = await server().registerPerson({ ...person, groups: namesIn(groups) });
    if (token !== undefined) onToken({ personId: person.personId, token });
  };
  return (
    <FormDialog
      button="Add person"
      title="Add person"
      verb="Add"
      fields={PERSON}
      begun={{ role: 'reviewer' }}
      send={add}
      changes={KEY}
    />
  );
}

function Actions({ person, onToken }: { readonly person: PersonView; readonly onToken: OnToken }) {
  const { personId, groups = [] } = person;
  const replaceToken = async () => {
    const { token } = await server().replacePersonToken({ personId });
    onToken({ personId, token });
  };
  return (
    <div className="row-actions">
      <ActionButton
        label="New token"
        act={replaceToken}
        changes={KEY}
        warning={{ title: `New token for ${personId}`, text: 'The earlier token ends at once.' }}
      />
      <FormDialog
        button="Groups"
        title={`Groups of ${personId}`}
        verb="Save"
        fields={[GROUPS]}
        begun={{ groups: groups.join(', ') }}
        send={({ groups: names }) =>
          server().replacePersonGroups({ personId, groups: namesIn(names as string | undefined) })
        }
        changes={KEY}
      />
      <ActionButton
        label="Delete"
        act={() => server().deletePerson({ personId })}
        changes={KEY}
        warning={{
          title: `Delete ${personId}`,
          text: 'Their token and their claims end. Their decisions stay in the log.',
        }}
      />
    </div>
  );
}
