import type { ReactNode } from 'react';
import { useAddress, useFieldOf, useSetAddress } from '../app/address.js';
import { statusWords } from './status.js';

/** Filters of a list. Their values are in the address, under the names of the API. */
export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <form className="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
}

interface SelectProps extends FilterProps {
  readonly options: readonly string[];
  /** The words for options that are no status. */
  readonly words?: { readonly [option: string]: string };
  /** The words for no choice, if that is not every item. */
  readonly anyWords?: string;
}

export function SelectFilter({ name, label, options, words, anyWords = 'any' }: SelectProps) {
  const value = useAddress()[name] ?? '';
  const set = useSetAddress();
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => set({ [name]: event.target.value || undefined })}>
        <option value="">{anyWords}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {words?.[option] ?? statusWords(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TextProps extends FilterProps {
  readonly placeholder?: string;
}

export function TextFilter({ name, label, placeholder = 'any' }: TextProps) {
  const value = useAddress()[name] ?? '';
  const set = useSetAddress();
  const field = useFieldOf(value);
  const take = (text: string) => set({ [name]: text.trim() || undefined });
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        ref={field}
        type="text"
        defaultValue={value}
        placeholder={placeholder}
        onBlur={(event) => event.target.value !== value && take(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
      />
    </label>
  );
}
