interface SliderProps {
  readonly id: string;
  readonly label: string;
  readonly max: number;
  readonly step?: number;
  readonly value: number;
  /** The value in words. */
  readonly words: string;
  readonly onChange: (value: number) => void;
  /** Moves it back to its first value; absent while it has that value. */
  readonly back?: { readonly label: string; readonly go: () => void } | undefined;
}

/** A value from 0 that is chosen by moving it, with its words beside it. */
export function Slider({ id, label, max, step = 1, value, words, onChange, back }: SliderProps) {
  return (
    <div className="slider">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        aria-valuetext={words}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <span className="dim">{words}</span>
      {back && (
        <button type="button" className="quiet-button" onClick={back.go}>
          {back.label}
        </button>
      )}
    </div>
  );
}
