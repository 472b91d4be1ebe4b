export type { AlignmentTally } from './alignment/alignment-tally.js';
export { runningScores, scoreComparisons } from './alignment/score-comparisons.js';
export { parseScoringRule, scoringRuleText } from './alignment/scoring-rule-text.js';
export {
  comparisonsFor,
  DECIDING_RULE,
  type ScoringRule,
  scoringRules,
  wilsonLowerBound,
  wilsonUpperBound,
} from './alignment/scoring-rules.js';
export type { ArbiterMode, ProposerExecution } from './execution-mode.js';
export { registrationRefusal, specialistBody } from './registration-rules.js';
export type { RegistrationWithFunctions, SpecialistRegistration } from './registration.js';
export {
  type Arbiter,
  type Proposer,
  specialistDecider,
  type SpecialistState,
  specialistVersion,
  versionAt,
} from './specialist.decider.js';
export {
  type ArbiterRegistered,
  isNewVersion,
  type ProposerRegistered,
  type SpecialistEvent,
  specialistEventDefinitions,
  specialistStreamId,
  specialistStreams,
} from './specialist.events.js';
export { ambiguousSpecialist, unknownSpecialist } from './specialist.rejections.js';
