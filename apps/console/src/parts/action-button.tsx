import { type QueryKey, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, readAgain } from '../data/query-client.js';
import { Dialog } from './dialog.js';
import { Problem } from './notice.js';

interface ActionProps {
  readonly label: string;
  readonly act: () => Promise<unknown>;
  /** The label while the action runs. Absent: unchanged. */
  readonly pending?: string;
  /** The queries to read again afterwards. Absent: all. */
  readonly changes?: QueryKey;
  /** For an action that cannot be undone: a dialog asks first, with this text. */
  readonly warning?: { readonly title: string; readonly text: string };
}

/** A button that makes a change, and shows the error if it fails. */
export function ActionButton({ label, act, pending = label, changes, warning }: ActionProps) {
  const [isOpen, setOpen] = useState(false);
  const action = useMutation({
    mutationFn: act,
    onSuccess: () => setOpen(false),
    onSettled: () => (changes ? queryClient.invalidateQueries({ queryKey: changes }) : readAgain()),
  });
  const problem = action.error && <Problem error={action.error} />;
  const open = () => {
    action.reset();
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        disabled={action.isPending}
        onClick={() => (warning ? open() : action.mutate())}
      >
        {action.isPending ? pending : label}
      </button>
      {warning && (
        <Dialog title={warning.title} isOpen={isOpen} onClose={() => setOpen(false)}>
          <div className="dialog-form">
            <p>{warning.text}</p>
            {problem}
            <p className="buttons">
              <button
                type="button"
                className="primary"
                disabled={action.isPending}
                onClick={() => action.mutate()}
              >
                {label}
              </button>
              <button type="button" onClick={() => setOpen(false)}>
                Cancel
              </button>
            </p>
          </div>
        </Dialog>
      )}
      {!warning && problem}
    </>
  );
}
