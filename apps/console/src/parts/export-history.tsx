import { SaveButton } from './save-button.js';

interface ExportProps {
  /** Names the file. */
  readonly name: string;
  readonly read: () => Promise<string>;
}

/** Saves a history as the file that `redial replay` and `redial inspect` take. */
export function ExportHistory({ name, read }: ExportProps) {
  return <SaveButton label="Export history" file={`${name}.jsonl`} type="application/x-ndjson" read={read} />;
}
