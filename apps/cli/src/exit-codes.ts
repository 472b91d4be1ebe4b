/** The exit codes, for scripts. The numbers are a contract: add, never change. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  diverges: 3,
  unknown: 4,
  unavailable: 5,
  needsPerson: 6,
  notAuthenticated: 7,
  propertyViolated: 8,
  requestsDiffer: 10,
  decisionsDiffer: 11,
  recordDiverges: 12,
  corpusUnusable: 13,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const meanings: { readonly [Name in keyof typeof exitCodes]: string } = {
  ok: 'done',
  failed:
    'the work failed: a specialist that was asked gave no answer, a projection stopped, a server did not start',
  usage: 'the command line, a file or a setting cannot be used, or a rule refuses the command',
  diverges:
    'replay found a history that differs from the rules, a copy of the log is not equal to it, or events differ from the sealed ones',
  unknown: 'there is no such session, machine, specialist, gate or projection',
  unavailable: 'the event log or the read store cannot be used, or there is none, or others run the log',
  needsPerson: 'a session stopped where only a person can decide',
  notAuthenticated:
    'verify: no event differs, but the signer is not known: no public key was given, or some events are not sealed',
  propertyViolated: 'prove: a property that the machine states does not hold',
  requestsDiffer: 'regress: a call to a model or another call differs from that of a history',
  decisionsDiffer: 'regress: a history is decided differently today',
  recordDiverges: 'regress: a history contradicts itself',
  corpusUnusable:
    'regress: there is no history, one cannot be read or is there twice, or none uses a machine that was given',
};

/** For `--help`. */
export function exitCodeHelp(): string {
  const lines = Object.entries(exitCodes).map(
    ([name, code]) => `  ${code}  ${meanings[name as keyof typeof exitCodes]}`,
  );
  return ['', 'Exit codes:', ...lines].join('\n');
}
