import { nearestName } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import { chosenRounds, getMachine, type Rows } from '#lib/read-models';
import { noSuchState } from './experiment.rejections.js';
import type { PointsQuestion } from './points-question.js';

/**
 * A state is known if the current version of the machine has it, or a point was decided in it: sessions keep the states of older versions.
 * @throws RejectionError at the first state that is not
 */
export async function checkStates(db: Rows<'machines' | 'sessions'>, asked: PointsQuestion): Promise<void> {
  if (!('machineName' in asked) || !asked.states) return;
  const { machineName, states } = asked;
  const machine = await getMachine(db, machineName);
  const current = Object.keys(machine?.definition.states ?? {});
  for (const state of new Set(states)) {
    if (current.includes(state)) continue;
    const points = await chosenRounds(db, { machineName, states: [state] }, 1);
    if (points.length === 0)
      refuse(noSuchState(states.indexOf(state), state, machineName, nearestName(state, current)));
  }
}
