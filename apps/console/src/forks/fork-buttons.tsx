import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RedialProblem } from '#lib/client';
import { useMay } from '../data/principal.js';
import { errorsOf } from '../data/server.js';
import { FieldInputs } from '../forms/field-inputs.js';
import { type Field, problemsAt } from '../forms/fields.js';
import { useForm } from '../forms/use-form.js';
import { Dialog } from '../parts/dialog.js';
import { Problem } from '../parts/notice.js';
import type { ForkValue } from './fork-value.js';

interface ForkProps {
  /** The field of the last revision or turn that the fork shares with its parent. */
  readonly at: Field;
  /** The fields of the changes in the fork. */
  readonly fields: readonly Field[];
  /** The current values, and the place where the fork begins. */
  readonly begun: ForkValue;
  /** Makes the fork, and returns the path of its page. */
  readonly fork: (value: ForkValue) => Promise<string>;
}

/**
 * Forks the shown session, run or conversation, for operators: unchanged with one button, with changes in a dialog. The parent does not
 * change.
 */
export function ForkButtons(props: ForkProps) {
  const mayFork = useMay('operator');
  const navigate = useNavigate();
  // The dialog is about the moment at which it was opened, also when the history goes on.
  const [opened, setOpened] = useState<ForkProps>();
  const forking = useMutation({
    mutationFn: ({ of, value }: Forking) => of.fork(value),
    onSuccess: (page) => navigate({ to: page, search: {} }),
    // The dialog shows the reason, and offers the revisions at which the fork can begin.
    onError: (_, { of }) => setOpened(of),
  });
  if (!mayFork) return null;
  const open = () => {
    forking.reset();
    setOpened(props);
  };
  const shown = opened ?? props;
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        disabled={forking.isPending}
        onClick={() => forking.mutate({ of: props, value: { [props.at.name]: props.begun[props.at.name] } })}
      >
        Fork from here
      </button>
      <button type="button" className="quiet-button" onClick={open}>
        Fork with changes
      </button>
      <Dialog
        title={`Fork ${shown.at.label.toLowerCase()} ${String(shown.begun[shown.at.name])}`}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      >
        <ForkForm
          {...shown}
          error={forking.error}
          isPending={forking.isPending}
          send={(value) => forking.mutate({ of: shown, value })}
        />
      </Dialog>
    </>
  );
}

interface Forking {
  /** The history as it was when the fork was asked for. */
  readonly of: ForkProps;
  readonly value: ForkValue;
}

interface ForkFormProps extends ForkProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly send: (value: ForkValue) => void;
}

/** The last fields of every form. */
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

function ForkForm({ at, fields, begun, error, isPending, send }: ForkFormProps) {
  const form = useForm([at, ...fields, ...LAST_FIELDS], { ...begun, effects: 'hold' });
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
        It goes on by itself from there: calls recorded until then are not made again, and its decisions count
        neither as examples nor for alignment.
      </p>
      <FieldInputs
        fields={form.fields}
        texts={form.texts}
        problems={{ ...problemsAt(errorsOf(error), '/overrides'), ...form.problems }}
        onChange={form.change}
      />
      {error !== null && <Problem error={error} />}
      <p className="buttons">
        <button type="submit" className="primary" disabled={isPending}>
          Fork
        </button>
        {borders.map((border) => (
          <button key={border} type="button" onClick={() => form.change(at.name, String(border))}>
            Begin after revision {border}
          </button>
        ))}
      </p>
    </form>
  );
}

/** The revisions around one that is inside an append. */
function bordersOf(error: unknown): readonly number[] {
  if (!(error instanceof RedialProblem) || error.problem.code !== 'inside-append') return [];
  return [error.problem['before'], error.problem['after']].filter((one) => typeof one === 'number');
}
