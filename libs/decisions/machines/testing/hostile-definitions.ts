import { machineLimits } from '#lib/json-schema';

/** Bytes of the largest body that the server reads. */
const BODY = 1_048_576;

const frame = { machineName: 'm', initialState: 'a', goalState: 'z' };
const states = { a: {}, z: {} };
const members = (count: number, member: (index: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => member(index)));
const withStates = (more: object) => ({ ...frame, states: { ...states, ...more } });
const withTransitions = (transitions: object) => withStates({ a: { transitions } });
const withSchema = (parameters: object) => withTransitions({ t: { target: 'z', parameters } });
const withProperties = (count: number, schema: (index: number) => object) =>
  withSchema({ type: 'object', properties: members(count, (index) => [`p${index}`, schema(index)]) });
const withSpecialists = (count: number, specialist: (index: number) => unknown) => ({
  ...frame,
  states,
  specialists: Array.from({ length: count }, (_, index) => specialist(index)),
});

/** Definitions by shape and by the number of repetitions of a part. */
const SHAPES: { readonly [name: string]: (count: number) => object } = {
  'unknown members': (count) => ({ ...frame, states, ...members(count, (n) => [`u${n}`, 0]) }),
  'states of another type': (count) => withStates(members(count, (n) => [`s${n}`, 0])),
  'states that nothing leads to': (count) => withStates(members(count, (n) => [`s${n}`, {}])),
  'a chain of states': (count) =>
    withStates(members(count, (n) => [`s${n}`, { transitions: { t: `s${n + 1}` } }])),
  'transitions without a target': (count) => withTransitions(members(count, (n) => [`t${n}`, {}])),
  'transitions to no state': (count) => withTransitions(members(count, (n) => [`t${n}`, 'q'])),
  'transitions to no state, of a state with a long name': (count) =>
    withStates({
      ['s'.repeat(count > machineLimits.values ? 300_000 : machineLimits.nameLength)]: {
        transitions: members(count, (n) => [`t${n}`, 'q']),
      },
    }),
  'names that are no names of tools': (count) =>
    withTransitions(members(count, (n) => [`t ${n}`, { target: 'z', description: '' }])),
  'different specialists': (count) =>
    withSpecialists(count, (n) => ({ role: 'proposer', specialistId: `p${n}` })),
  'one specialist with many bodies': (count) =>
    withSpecialists(count, (n) => ({ role: 'proposer', specialistId: 'p', modelId: `m${n}` })),
  'specialists without members': (count) => withSpecialists(count, () => ({})),
  'templates of many tags': (count) =>
    withSpecialists(Math.ceil(count / 10_000), (n) => ({
      role: 'proposer',
      specialistId: `p${n}`,
      modelId: 'm',
      contextTemplate: '{{x}}'.repeat(10_000),
    })),
  'schemas without problems': (count) => withProperties(count, () => ({ type: 'string', minLength: 1 })),
  'schemas of another type': (count) => withProperties(count, () => ({ type: 0 })),
  'parameters for each transition': (count) =>
    withTransitions(members(count, (n) => [`t${n}`, { target: 'z', parameters: {} }])),
  'anchors that refer to each other': (count) =>
    withProperties(count, (n) => ({ $anchor: `a${n}`, $ref: `#a${n + 1}` })),
  'identifiers that refer to each other': (count) =>
    withProperties(count, (n) => ({ $id: `http://a.b/${n}`, $ref: `http://a.b/${n + 1}` })),
  'references to one schema': (count) => withProperties(count, () => ({ $ref: '#/properties/p0/not' })),
  'many patterns': (count) => withProperties(count, (n) => ({ pattern: `^${n}[a-z]{1,20}$` })),
  'patterns with Unicode classes': (count) => withProperties(count, (n) => ({ pattern: `\\p{L}${n}` })),
  'patterns that repeat': (count) => withProperties(count, (n) => ({ pattern: `a{900}${n}` })),
  'patterns that are none': (count) => withProperties(count, () => ({ pattern: '(' })),
  'allowed values': (count) =>
    withSchema({ properties: { p: { enum: Array.from({ length: count }, (_, n) => n) } } }),
  'required members that are not allowed': (count) =>
    withSchema({ required: Array.from({ length: count }, (_, n) => `r${n}`), additionalProperties: false }),
};

/** Around the counts at which a limit is reached. */
const COUNTS = [
  machineLimits.parts,
  machineLimits.values,
  machineLimits.values / 2,
  machineLimits.values / 3,
  machineLimits.values / 4,
];

/** JSON texts that take long to inspect as a machine, each of a size that the server reads. */
export function hostileDefinitions(): readonly { readonly name: string; readonly text: string }[] {
  return Object.entries(SHAPES).flatMap(([name, shape]) =>
    [...COUNTS.map((count) => Math.floor(count) - 20), Math.min(most(shape), BODY / 4)].flatMap((count) => {
      const text = JSON.stringify(shape(count));
      return text.length <= BODY ? [{ name: `${name}, ${count}`, text }] : [];
    }),
  );
}

/** About the number of repetitions in the largest body: each takes the same bytes. */
function most(shape: (count: number) => object): number {
  const [few, more] = [1_000, 2_000].map((count) => JSON.stringify(shape(count)).length) as [number, number];
  return Math.floor((BODY * 950) / Math.max(1, more - few));
}
