import { DefinitionSchemas, type FoundProblem, inspectSchema, machineLimits } from '#lib/json-schema';
import { isJsonObject, jsonText, ownMember, type Problem } from '#lib/kernel';
import { conditionProblem } from './needs-person.js';
import { unknownNames } from './prove/property.js';
import { timeProblems } from './time-problems.js';
import type { MachineOutline, SpecialistPlace, TransitionPlace } from './machine-outline.js';

/** Problems beyond the shape: unknown states, parameters, contradictions. */
export function ruleProblems(outline: MachineOutline): readonly FoundProblem[] {
  return [
    ...found(startAndGoal(outline)),
    ...found(twoGoals(outline)),
    ...outline.transitions.flatMap((transition) => missingTarget(outline, transition)),
    ...found(unusableParameters(outline.transitions)),
    ...outline.transitions.flatMap(unusableCondition),
    ...found(timeProblems(outline)),
    ...found(contradictions(outline.specialists)),
    ...found(tooMuchTemplate(outline.specialists)),
    ...found(unknownNames(outline.states ?? {}, ownMember(outline.machine, 'properties'))),
  ];
}

function found(problems: readonly Problem[]): FoundProblem[] {
  return problems.map((problem) => () => problem);
}

function startAndGoal({ machine, states }: MachineOutline): Problem[] {
  return ['initialState', 'goalState', 'defaultState'].flatMap((member) => {
    const name = ownMember(machine, member);
    if (!states || typeof name !== 'string' || name === '' || Object.hasOwn(states, name)) return [];
    return [{ path: `/${member}`, message: `${member} is the non-existent state ${jsonText(name)}` }];
  });
}

/** The old name counts only without the new one: of two different goals one would be lost without an error. */
function twoGoals({ machine }: MachineOutline): Problem[] {
  const goal = ownMember(machine, 'goalState');
  const old = ownMember(machine, 'defaultState');
  if (typeof goal !== 'string' || typeof old !== 'string' || goal === old) return [];
  return [
    { path: '/defaultState', message: 'is the old name of goalState and differs from it: leave it out' },
  ];
}

function missingTarget({ states }: MachineOutline, transition: TransitionPlace): FoundProblem[] {
  const { stateName, transitionName, target, targetPath } = transition;
  if (!states || target === undefined || Object.hasOwn(states, target)) return [];
  return [
    () => {
      const from = `transition ${jsonText(transitionName)} of state ${jsonText(stateName)}`;
      return { path: targetPath, message: `${from} leads to the non-existent state ${jsonText(target)}` };
    },
  ];
}

function unusableParameters(transitions: readonly TransitionPlace[]): Problem[] {
  const beside = new DefinitionSchemas();
  return transitions.flatMap(({ path, definition }) => {
    const parameters = ownMember(definition, 'parameters');
    if (!isJsonObject(parameters)) return [];
    const base = `${path}/parameters`;
    const problems = inspectSchema(parameters, { beside }).map((problem) => ({
      path: `${base}${problem.path}`,
      message: `is no JSON Schema that can be used: ${problem.message}`,
    }));
    const type = ownMember(parameters, 'type') ?? 'object';
    if (problems.length > 0 || type === 'object') return problems;
    return [{ path: `${base}/type`, message: 'must be "object": the arguments of a tool are an object' }];
  });
}

function unusableCondition({ path, definition }: TransitionPlace): FoundProblem[] {
  const rule = ownMember(definition, 'needsPerson');
  const text = isJsonObject(rule) ? ownMember(rule, 'if') : undefined;
  const message = typeof text === 'string' ? conditionProblem(text) : undefined;
  return message === undefined ? [] : [() => ({ path: `${path}/needsPerson/if`, message })];
}

/** An id may occur several times, also disabled in some, if all entries are the same specialist. */
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

function tooMuchTemplate(specialists: readonly SpecialistPlace[]): Problem[] {
  let left: number = machineLimits.templates;
  return specialists.flatMap(({ path, body }) => {
    const texts = ['contextTemplate', 'systemPrompt', 'workflow'].map((member) => ownMember(body, member));
    const member = texts[0] === undefined ? 'workflow' : 'contextTemplate';
    const before = left;
    left -= texts.reduce<number>((sum, one) => sum + textLength(one), 0);
    if (before < 0 || left >= 0) return [];
    const message = `is one template too many: all templates of a machine may have ${machineLimits.templates} characters together`;
    return [{ path: `${path}/${member}`, message }];
  });
}

/** Characters of all texts in a value. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((length, member) => length + textLength(member), 0);
}

function bodyText(body: SpecialistPlace['body']): string {
  const members = Object.entries(body).filter(
    ([name, value]) => name !== 'disabled' && name !== 'keepAlignment' && value !== undefined,
  );
  return jsonText(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
