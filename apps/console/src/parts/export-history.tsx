import { useMutation } from '@tanstack/react-query';
import { wordsOf } from '../data/server.js';

interface ExportProps {
  /** Names the file. */
  readonly name: string;
  readonly read: () => Promise<string>;
}

/** Saves a history as the file that `redial replay` and `redial inspect` take. */
export function ExportHistory({ name, read }: ExportProps) {
  const history = useMutation({ mutationFn: read, onSuccess: (text) => save(`${name}.jsonl`, text) });
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        disabled={history.isPending}
        onClick={() => history.mutate()}
      >
        Export history
      </button>
      {history.error && (
        <span role="alert" className="said bad">
          {wordsOf(history.error)}
        </span>
      )}
    </>
  );
}

function save(file: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  const link = Object.assign(document.createElement('a'), { href, download: file });
  link.click();
  URL.revokeObjectURL(href);
}
