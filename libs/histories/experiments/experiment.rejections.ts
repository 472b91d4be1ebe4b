import { jsonText, refusedAt, reject, type Rejection, type RejectionText } from '#lib/kernel';
import { NO_TIME } from '#lib/operations/core';

export const unknownExperiment = (experimentId: string): Rejection =>
  reject('unknown', 'unknown-experiment', {
    what: `experiment ${experimentId}`,
    why: 'no experiment has this id',
    fix: 'List them with redial experiments list',
  });

export const experimentNotStopped = (status: string): Rejection =>
  reject('conflict', 'experiment-not-stopped', {
    what: 'the experiment',
    why: `it is ${status}, and only an experiment stopped by its limits can be resumed`,
    fix: status === 'running' ? 'Wait for it' : 'Start another one',
  });

export const experimentEnded = (status: string): Rejection =>
  reject('conflict', 'experiment-ended', {
    what: 'the experiment',
    why: `it is ${status} already`,
    fix: 'Read its report',
  });

export function noTimeOfPoints(member: 'from' | 'to'): Rejection {
  const path = `/points/${member}`;
  const text = { what: 'the request', why: `${path} ${NO_TIME}`, fix: 'Correct it and send it again' };
  return reject('malformed', 'malformed-request', text, [{ path, message: NO_TIME }]);
}

/** @param index of the state in `points.states` @param meant the state with the most similar name */
export const noSuchState = (
  index: number,
  state: string,
  machineName: string,
  meant: string | undefined,
): Rejection =>
  refusedAt(
    `/points/states/${index}`,
    reject('refused', 'unknown-state', {
      what: `the state ${jsonText(state)} of the points`,
      why: `machine ${machineName} has no state of this name, and no point was decided in one`,
      fix:
        meant === undefined
          ? 'Name a state of the machine'
          : `Name a state of the machine, such as ${jsonText(meant)}`,
    }),
  );

/** @param reached the limit that allows no further call, and what is spent of it */
export function limitsReached(reached: 'calls' | 'cost', limit: number, spent: number): Rejection {
  const [name, why] =
    reached === 'calls'
      ? ['maxCalls', `the limit is ${limit} calls, and it has made ${spent}`]
      : ['maxCostUSD', `the limit is $${limit}, and it has spent $${spent}`];
  const fix = `Give a larger total (\`${name}\`): what it has spent counts`;
  return reject('refused', 'limits-reached', { what: 'the limits of the experiment', why, fix });
}

export const tooManyAsks = (asks: number, most: number): Rejection =>
  reject('refused', 'too-many-asks', {
    what: 'the experiment',
    why: `points × variants × samples are ${asks}, and at most ${most} are asked`,
    fix: 'Choose fewer points (`max`), variants or samples',
  });

export const tooManyPoints = (most: number): Rejection =>
  reject('refused', 'too-many-points', {
    what: 'the sessions of the experiment',
    why: `they have more than ${most} decided rounds, and no more are asked about`,
    fix: 'Name fewer sessions',
  });

/** @param path the JSON pointer to the invalid value */
export const invalidVariants = (path: string, text: RejectionText): Rejection =>
  refusedAt(path, reject('refused', 'invalid-variants', text));

export const severalMachines = (names: readonly string[]): Rejection =>
  reject('refused', 'several-machines', {
    what: 'the sessions of the experiment',
    why: `they are of several machines: ${names.join(', ')}`,
    fix: 'Make an experiment for each machine',
  });

export const notOfModel = (variant: string, specialistId: string): Rejection =>
  reject('refused', 'wrong-specialist', {
    what: `the changes of variant ${variant}`,
    why: `no model decides for specialist ${specialistId}`,
    fix: 'Leave them out, or name a proposer that a model decides for',
  });
