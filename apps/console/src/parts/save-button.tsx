import { useMutation } from '@tanstack/react-query';
import { wordsOf } from '../data/server.js';

interface SaveProps {
  readonly label: string;
  readonly file: string;
  readonly type: string;
  readonly read: () => Promise<string>;
}

/** Saves a text as a file. */
export function SaveButton({ label, file, type, read }: SaveProps) {
  const reading = useMutation({ mutationFn: read, onSuccess: (text) => save(file, type, text) });
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        disabled={reading.isPending}
        onClick={() => reading.mutate()}
      >
        {label}
      </button>
      {reading.error && (
        <span role="alert" className="said bad">
          {wordsOf(reading.error)}
        </span>
      )}
    </>
  );
}

function save(file: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href, download: file });
  link.click();
  URL.revokeObjectURL(href);
}
