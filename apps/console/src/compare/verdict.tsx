interface VerdictProps {
  /** The name of one compared part. */
  readonly noun: 'decision' | 'part';
  readonly all: number;
  readonly different: number;
}

/** The number of differences between two objects. */
export function Verdict({ noun, all, different }: VerdictProps) {
  return (
    <div className={different === 0 ? 'verdict good' : 'verdict'} role="status">
      <p className="verdict-word">
        {different === 0 ? `same ${noun}s` : `${different} of ${all} ${noun}s differ`}
      </p>
      <p className="dim">
        Ids, times, cost and duration of {noun === 'part' ? 'steps' : 'decisions'} are not compared.
      </p>
    </div>
  );
}
