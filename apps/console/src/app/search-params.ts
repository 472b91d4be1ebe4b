/** The part of an address behind `?`, as plain texts: no value is read as JSON. */
export type Search = { readonly [name: string]: string | undefined };

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Members without a value, and those with an empty one, are left out. */
export function stringifySearch(search: { readonly [name: string]: unknown }): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  );
  const text = new URLSearchParams(given).toString();
  // Readable in a link: `?event=session-…@3`.
  return text === '' ? '' : `?${text.replaceAll('%40', '@').replaceAll('%3A', ':')}`;
}
