import { describeEngineRaces } from './race-two-engines.js';

// Only without a lag: with one, an engine may read its own append too early and answer 500 (LostWorkflow).
describeEngineRaces(0, 20);
