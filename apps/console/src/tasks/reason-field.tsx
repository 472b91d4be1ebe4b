interface ReasonFieldProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}

/** Recorded with the answer, and shown wherever the decision is. */
export function ReasonField({ reason, onChange }: ReasonFieldProps) {
  return (
    <div className="field">
      <label htmlFor="reason">
        Reason for your answer <span className="dim">(optional)</span>
      </label>
      <textarea id="reason" rows={2} value={reason} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

/** The member of an answer, if there is a reason. */
export function reasonIn(reason: string): { readonly reason?: string } {
  return reason.trim() === '' ? {} : { reason };
}
