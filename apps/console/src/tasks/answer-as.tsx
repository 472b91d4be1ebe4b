interface AnswerAsProps {
  readonly people: readonly string[];
  readonly person: string | undefined;
  readonly onChange: (person: string) => void;
}

/** On a server that asks for no token, whoever sits here says who they are. */
export function AnswerAs({ people, person, onChange }: AnswerAsProps) {
  return (
    <label className="filter">
      <span>Answer as</span>
      <select value={person} onChange={(event) => onChange(event.target.value)}>
        {people.map((personId) => (
          <option key={personId}>{personId}</option>
        ))}
      </select>
    </label>
  );
}
