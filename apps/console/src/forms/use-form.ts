import { useState } from 'react';
import { type Field, read, type Texts, textsOf } from './fields.js';

/** A form that begins with a value. */
export interface Form {
  readonly fields: readonly Field[];
  readonly texts: Texts;
  readonly isEdited: boolean;
  readonly problems: { readonly [name: string]: string };
  readonly setProblems: (problems: { readonly [name: string]: string }) => void;
  readonly change: (name: string, text: string) => void;
  /** The value, or `undefined` if a text has an error, which its field then shows. */
  readonly read: () => { readonly value: unknown } | undefined;
}

export function useForm(fields: readonly Field[], proposed: unknown): Form {
  const [edits, setEdits] = useState<Texts>({});
  const [problems, setProblems] = useState<{ readonly [name: string]: string }>({});
  const begun = textsOf(fields, proposed);
  const texts = { ...begun, ...edits };
  return {
    fields,
    texts,
    isEdited: fields.some(({ name }) => texts[name] !== begun[name]),
    problems,
    setProblems,
    change: (name, text) => {
      setEdits({ ...edits, [name]: text });
      setProblems({});
    },
    read: () => {
      const found = read(fields, texts, proposed);
      setProblems('problems' in found ? found.problems : {});
      return 'value' in found ? found : undefined;
    },
  };
}
