import { Switch } from 'radix-ui';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { preference, setPreference } from './preferences.js';

const KEYS = [
  ['j', 'next row'],
  ['k', 'previous row'],
  ['Enter', 'open'],
  ['Escape', 'close'],
  ['/', 'search'],
  ['?', 'this list'],
] as const;

/** The keys, and the switch for them. */
export function KeyboardDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [isOn, setOn] = useState(() => preference('shortcuts') !== 'off');
  const change = (value: boolean) => {
    setPreference('shortcuts', value ? 'on' : 'off');
    setOn(value);
  };
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
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
    </Dialog>
  );
}
