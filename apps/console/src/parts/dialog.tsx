import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Rendered only while the dialog is open: a form in it starts again each time. */
  readonly children: ReactNode;
}

/** A dialog over the page, which Escape closes. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby={heading} className="dialog">
      <h2 id={heading}>{title}</h2>
      {isOpen && children}
    </dialog>
  );
}
