/** Sets environment variables, and returns a function that restores them. `undefined` removes a variable. */
export function setEnvironment(variables: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  for (const [name, value] of Object.entries(variables)) assign(name, value);
  return () => {
    for (const [name, value] of before) assign(name, value);
  };
}

function assign(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
