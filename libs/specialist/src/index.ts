export { addComparison } from './alignment/add-comparison.js';
export { type AlignmentTally, NO_COMPARISONS } from './alignment/alignment-tally.js';
export { DECIDING_RULE } from './alignment/deciding-rule.js';
export { ratio } from './alignment/ratio.js';
export { scoreComparisons } from './alignment/score-comparisons.js';
export { parseScoringRule, scoringRuleText } from './alignment/scoring-rule-text.js';
export { type Scoring, type ScoringRule, scoringRules } from './alignment/scoring-rules.js';
export { wilsonLowerBound } from './alignment/wilson-lower-bound.js';
export type { ArbiterMode, ModelQuestion, ProposerExecution } from './execution-mode.js';
export type { RegistrationWithFunctions, SpecialistRegistration } from './registration.js';
export { registrationRefusal, specialistBody } from './registration-rules.js';
export {
  type Arbiter,
  type DisableSpecialist,
  type EnableSpecialist,
  type Proposer,
  type RegisteredSpecialist,
  type RegisterSpecialist,
  type SpecialistBody,
  type SpecialistCommand,
  specialistDecider,
  type SpecialistState,
  specialistVersion,
  versionAt,
  versionWith,
} from './specialist.decider.js';
export {
  type ArbiterRegistered,
  isNewVersion,
  type ProposerRegistered,
  type SpecialistDisabled,
  type SpecialistEnabled,
  type SpecialistEvent,
  type SpecialistRegisteredAgain,
  specialistEventDefinitions,
  specialistStreamId,
} from './specialist.events.js';
export { ambiguousSpecialist, unknownSpecialist } from './specialist.rejections.js';
