import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../data/principal.js';
import { RedialProblem } from '#lib/client';
import { FieldInputs } from '../forms/field-inputs.js';
import type { Field } from '../forms/fields.js';
import { useForm } from '../forms/use-form.js';
import { Dialog } from '../parts/dialog.js';
import { Problem } from '../parts/notice.js';

/** The values of a form of a fork, by the names of its fields. */
export type ForkValue = { readonly [field: string]: unknown };

interface ForkProps {
  /** The fields beside where the fork begins. */
  readonly fields: readonly Field[];
  /** The values of now. */
  readonly begun: ForkValue;
  /** The last revision that the fork has in common with what is shown. */
  readonly atRevision: number;
  /** Makes the fork, and answers the path of its page. */
  readonly fork: (value: ForkValue) => Promise<string>;
}

/** Forks of what is shown, for operators: as it is with one button, with changes in a dialog. What is forked stays as it is. */
export function ForkButtons(props: ForkProps) {
  const { atRevision, fork } = props;
  const mayFork = useMay('operator');
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const forking = useMutation({
    mutationFn: fork,
    onSuccess: (page) => navigate({ to: page, search: {} }),
    // The dialog says why, and offers the revisions at which it can begin.
    onError: () => setOpen(true),
  });
  if (!mayFork) return null;
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        disabled={forking.isPending}
        onClick={() => forking.mutate({ atRevision })}
      >
        Fork from here
      </button>
      <button type="button" className="quiet-button" onClick={() => setOpen(true)}>
        Fork with changes
      </button>
      <Dialog title={`Fork after revision ${atRevision}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ForkForm {...props} error={forking.error} isPending={forking.isPending} send={forking.mutate} />
      </Dialog>
    </>
  );
}

interface ForkFormProps extends ForkProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly send: (value: ForkValue) => void;
}

const AT: Field = { name: 'atRevision', label: 'After revision', kind: 'number', isNeeded: true };

/** The same everywhere. */
const LAST_FIELDS: readonly Field[] = [
  {
    name: 'effects',
    label: 'Functions, webhooks and tools that change something',
    kind: 'select',
    isNeeded: true,
    options: ['hold', 'allow'],
    hint: 'hold: each waits for an approval; allow: they run',
  },
  { name: 'reason', label: 'Reason', kind: 'text', isNeeded: false },
];

function ForkForm({ fields, begun, atRevision, error, isPending, send }: ForkFormProps) {
  const form = useForm([AT, ...fields, ...LAST_FIELDS], { ...begun, atRevision, effects: 'hold' });
  const borders = bordersOf(error);
  const submit = () => {
    const found = form.read();
    if (found) send(found.value as ForkValue);
  };
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="dim">
        It goes on by itself from there: what is recorded until then is not asked again, and its decisions
        teach nobody.
      </p>
      <FieldInputs fields={form.fields} texts={form.texts} problems={form.problems} onChange={form.change} />
      {error !== null && <Problem error={error} />}
      <p className="buttons">
        <button type="submit" className="primary" disabled={isPending}>
          Fork
        </button>
        {borders.map((border) => (
          <button key={border} type="button" onClick={() => form.change(AT.name, String(border))}>
            Begin after revision {border}
          </button>
        ))}
      </p>
    </form>
  );
}

/** The revisions beside one that is inside an append. */
function bordersOf(error: unknown): readonly number[] {
  if (!(error instanceof RedialProblem) || error.problem.code !== 'inside-append') return [];
  return [error.problem['before'], error.problem['after']].filter((one) => typeof one === 'number');
}
