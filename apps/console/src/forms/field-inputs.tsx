import { useId } from 'react';
import { type Field, optionText, type Texts } from './fields.js';

interface FieldInputsProps {
  readonly fields: readonly Field[];
  readonly texts: Texts;
  readonly problems: { readonly [name: string]: string };
  readonly onChange: (name: string, text: string) => void;
}

/** A labelled input for each field, with its error beside it. */
export function FieldInputs({ fields, texts, problems, onChange }: FieldInputsProps) {
  return (
    <div className="fields">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          problem={Object.hasOwn(problems, field.name) ? problems[field.name] : undefined}
          onChange={(text) => onChange(field.name, text)}
        />
      ))}
    </div>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

function FieldInput({ field, text, problem, onChange }: FieldInputProps) {
  const { label, kind, isNeeded, hint } = field;
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`];
  const input = {
    id,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-required': isNeeded || undefined,
    'aria-describedby': described.join(' ').trim() || undefined,
  };
  return (
    <div className={kind === 'checkbox' ? 'field checkbox' : 'field'}>
      <label htmlFor={id}>
        {label}
        {!isNeeded && kind !== 'checkbox' && <span className="dim"> (optional)</span>}
      </label>
      <Input field={field} input={input} text={text} onChange={onChange} />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  readonly field: Field;
  /** The attributes that name and describe it. */
  readonly input: object;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Texts longer than this get several lines. */
const LONG = 60;

function Input(props: InputProps) {
  const { field, input, text, onChange } = props;
  if (field.kind === 'checkbox') return <Checkbox {...props} />;
  if (field.kind === 'select') return <Select {...props} />;
  const isJson = field.kind === 'json';
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  if (isJson || text.length > LONG || text.includes('\n')) {
    const form = { rows: isJson ? 5 : 3, className: isJson ? 'mono' : undefined };
    return <textarea {...input} {...form} value={text} onChange={change} />;
  }
  const inputMode = field.kind === 'number' ? ('decimal' as const) : undefined;
  return <input {...input} type="text" inputMode={inputMode} value={text} onChange={change} />;
}

function Checkbox({ input, text, onChange }: InputProps) {
  return (
    <input
      {...input}
      type="checkbox"
      checked={text === 'true'}
      onChange={(event) => onChange(event.target.checked ? 'true' : '')}
    />
  );
}

function Select({ field: { options = [], isNeeded }, input, text, onChange }: InputProps) {
  return (
    <select {...input} value={text} onChange={(event) => onChange(event.target.value)}>
      {(!isNeeded || text === '') && <option value="">–</option>}
      {options.map((option) => (
        <option key={optionText(option)} value={optionText(option)}>
          {optionText(option)}
        </option>
      ))}
    </select>
  );
}
