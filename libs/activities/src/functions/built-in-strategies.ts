import type { ProposerContext } from '#lib/session';

type BuiltIn = (context: ProposerContext) => {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
};

/** The strategies that need no registration. All of them fail where there is nothing to choose. */
export function builtInStrategies(random: () => number) {
  const anyOf = choosing('chosen at random', (count) => Math.min(Math.floor(random() * count), count - 1));
  return {
    firstAvailable: choosing('the first transition', () => 0),
    lastAvailable: choosing('the last transition', (count) => count - 1),
    random: anyOf,
    weightedRandom: anyOf,
  };
}

/** Transitions count in the machine's order. */
function choosing(how: string, pick: (count: number) => number): BuiltIn {
  return ({ currentState, transitions }) => {
    const offered = Object.entries(transitions);
    const [transitionName, transition] = offered[pick(offered.length)] ?? [];
    if (transitionName === undefined || !transition) {
      throw new Error(`State "${currentState}" offers no transitions.`);
    }
    return { transitionName, toState: transition.target, reasoning: `${transitionName}: ${how}` };
  };
}
