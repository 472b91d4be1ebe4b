import { Switch } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { preference, setPreference } from './preferences.js';

const KEYS = [
  ['j', 'next row'],
  ['k', 'previous row'],
  ['Enter', 'open'],
  ['Escape', 'close'],
  ['/', 'search'],
  ['?', 'this list'],
] as const;

/** The keys, and the switch that turns them off. */
export function KeyboardDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(() => preference('shortcuts') !== 'off');
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const change = (value: boolean) => {
    setPreference('shortcuts', value ? 'on' : 'off');
    setOn(value);
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys" className="dialog">
      <h2 id="keys">Keys</h2>
      <dl className="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-foot">
        <label className="switch-label">
          <Switch.Root
            className="switch"
            aria-label="Keyboard shortcuts"
            checked={isOn}
            onCheckedChange={change}
          >
            <Switch.Thumb className="switch-thumb" />
          </Switch.Root>
          Keyboard shortcuts
        </label>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}
