import { type QueryKey, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../data/query-client.js';
import { errorsOf } from '../data/server.js';
import { FieldInputs } from '../forms/field-inputs.js';
import { areAtFields, type Field, problemsAt } from '../forms/fields.js';
import { useForm } from '../forms/use-form.js';
import { Dialog } from './dialog.js';
import { Problem } from './notice.js';

interface FormDialogProps {
  readonly button: string;
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly verb: string;
  readonly fields: readonly Field[];
  readonly begun: object;
  readonly send: (value: { readonly [name: string]: unknown }) => Promise<unknown>;
  /** The lists to read again afterwards. */
  readonly changes: QueryKey;
}

/** A button that opens a form. Refusals of the server are shown beside their fields. */
export function FormDialog(props: FormDialogProps) {
  const { button, title } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => setOpen(true)}>
        {button}
      </button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        <DialogForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

interface DialogFormProps extends FormDialogProps {
  readonly onClose: () => void;
}

function DialogForm({ verb, fields, begun, send, changes, onClose }: DialogFormProps) {
  const form = useForm(fields, begun);
  const sending = useMutation({
    mutationFn: send,
    onSuccess: onClose,
    onError: (error) => form.setProblems(problemsOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: changes }),
  });
  const submit = () => {
    const found = form.read();
    if (found) sending.mutate(found.value as { readonly [name: string]: unknown });
  };
  return (
    <form
      className="dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FieldInputs fields={form.fields} texts={form.texts} problems={form.problems} onChange={form.change} />
      {sending.error && !areAtFields(problemsOf(sending.error), fields) && <Problem error={sending.error} />}
      <p className="buttons">
        <button type="submit" className="primary" disabled={sending.isPending}>
          {verb}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function problemsOf(error: unknown): { readonly [name: string]: string } {
  return problemsAt(errorsOf(error), '');
}
