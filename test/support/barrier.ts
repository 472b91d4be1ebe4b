/** Opens for all callers once so many have come. */
export function barrier(count: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    come += 1;
    if (come >= count) open();
    return opened;
  };
}
