// A test has no shell of Redial around it that reads the environment.

/** Whether this is a build server, which must not record. */
export function isCi(): boolean {
  return variable('CI') === 'true';
}

/** The value of a variable that a test names. */
export function variable(name: string): string | undefined {
  return process.env[name];
}
