const LONGEST_WORD = 16;

/** A name in a table: a long one breaks anywhere, so that the table is not wider than the window, and a short one stays whole. */
export function Name({ text }: { readonly text: string }) {
  return text.length > LONGEST_WORD ? <span className="breaks">{text}</span> : text;
}
