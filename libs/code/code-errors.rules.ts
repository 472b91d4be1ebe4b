/**
 * The errors of a run of code, by code. A code keeps its meaning in later versions. An error that is not critical is shown to the model, or thrown in
 * its code as `error.code`. A critical one ends the run, or the turn of a conversation.
 */
export const codeErrors = {
  'invalid-code': { isCritical: false, meaning: 'The reply is no program' },
  'code-threw': { isCritical: false, meaning: 'The code threw' },
  limit: { isCritical: false, meaning: 'The code went over a limit' },
  'no-action': { isCritical: false, meaning: 'The code returned no action' },
  'unknown-action': { isCritical: false, meaning: 'The code returned an action that is not there' },
  'invalid-value': { isCritical: false, meaning: 'The value does not fit the exit' },
  silent: { isCritical: false, meaning: 'The code listens, and has sent no message in this turn' },
  'hook-refused': { isCritical: false, meaning: 'A hook refused the code, the call or the exit' },
  'invalid-input': { isCritical: false, meaning: 'The input of a call does not fit its tool' },
  'invalid-output': { isCritical: false, meaning: 'A tool returned what does not fit its result' },
  'tool-failed': { isCritical: false, meaning: 'A call of a tool failed, or a person refused it' },
  'invalid-message': { isCritical: false, meaning: 'A message does not fit the components' },
  think: { isCritical: false, meaning: 'A hook asks the model to think: the code stops' },
  'model-failed': { isCritical: true, meaning: 'No model gave a reply' },
  'sandbox-failed': { isCritical: true, meaning: 'The sandbox does not run' },
  'loop-exceeded': { isCritical: true, meaning: 'As many iterations as `loop` says took no exit' },
  budget: { isCritical: true, meaning: 'The budget of the run is spent' },
  aborted: { isCritical: true, meaning: 'The run was cancelled, or a hook ended it' },
} as const satisfies { readonly [code: string]: { readonly isCritical: boolean; readonly meaning: string } };

export type CodeError = keyof typeof codeErrors;

export function isCritical(code: CodeError): boolean {
  return codeErrors[code].isCritical;
}
