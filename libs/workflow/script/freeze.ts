/** Freezes the JSON that a script gets. A change of it would be lost when the script is run again. */
export function frozen<Value>(value: Value): Value {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) if (typeof member === 'object') open.push(member);
  }
  return value;
}
