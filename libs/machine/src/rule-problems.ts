import { Allowance, inspectSchema } from '#lib/json-schema';
import { isJsonObject, jsonText, ownMember, type Problem } from '#lib/kernel';
import type { MachineOutline, SpecialistPlace, TransitionPlace } from './machine-outline.js';

/** What is wrong beyond the shape: names of states that do not exist, parameters, contradictions. */
export function ruleProblems(outline: MachineOutline): readonly Problem[] {
  return [
    ...startAndGoal(outline),
    ...twoGoals(outline),
    ...outline.transitions.flatMap((transition) => missingTarget(outline, transition)),
    ...unusableParameters(outline.transitions),
    ...contradictions(outline.specialists),
  ];
}

function startAndGoal({ machine, states }: MachineOutline): Problem[] {
  return ['initialState', 'goalState', 'defaultState'].flatMap((member) => {
    const name = ownMember(machine, member);
    if (!states || typeof name !== 'string' || name === '' || Object.hasOwn(states, name)) return [];
    return [{ path: `/${member}`, message: `${member} is the non-existent state ${jsonText(name)}` }];
  });
}

/** The old name counts only where the new one is absent; two that differ would silently lose one. */
function twoGoals({ machine }: MachineOutline): Problem[] {
  const goal = ownMember(machine, 'goalState');
  const old = ownMember(machine, 'defaultState');
  if (typeof goal !== 'string' || typeof old !== 'string' || goal === old) return [];
  return [
    { path: '/defaultState', message: 'is the old name of goalState and differs from it: leave it out' },
  ];
}

function missingTarget({ states }: MachineOutline, transition: TransitionPlace): Problem[] {
  const { stateName, transitionName, target, targetPath } = transition;
  if (!states || target === undefined || Object.hasOwn(states, target)) return [];
  const from = `transition ${jsonText(transitionName)} of state ${jsonText(stateName)}`;
  return [{ path: targetPath, message: `${from} leads to the non-existent state ${jsonText(target)}` }];
}

/** All schemas of a machine share one allowance. */
function unusableParameters(transitions: readonly TransitionPlace[]): Problem[] {
  const allowance = new Allowance();
  return transitions.flatMap(({ path, definition }) => {
    const parameters = ownMember(definition, 'parameters');
    if (!isJsonObject(parameters)) return [];
    const base = `${path}/parameters`;
    const problems = inspectSchema(parameters, { allowance }).map((problem) => ({
      path: `${base}${problem.path}`,
      message: `is no JSON Schema that can be used: ${problem.message}`,
    }));
    const type = ownMember(parameters, 'type') ?? 'object';
    if (problems.length > 0 || type === 'object') return problems;
    return [{ path: `${base}/type`, message: 'must be "object": the arguments of a tool are an object' }];
  });
}

/** An id may stand in several places, also disabled in some, as long as it is the same specialist everywhere. */
function contradictions(specialists: readonly SpecialistPlace[]): Problem[] {
  const first = new Map<string, string>();
  return specialists.flatMap(({ path, specialistId, body }) => {
    const text = bodyText(body);
    const known = first.get(specialistId) ?? text;
    first.set(specialistId, known);
    if (known === text) return [];
    return [{ path, message: `declares specialist ${jsonText(specialistId)} again, with another body` }];
  });
}

function bodyText(body: SpecialistPlace['body']): string {
  const members = Object.entries(body).filter(
    ([name, value]) => name !== 'disabled' && name !== 'keepAlignment' && value !== undefined,
  );
  return jsonText(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
