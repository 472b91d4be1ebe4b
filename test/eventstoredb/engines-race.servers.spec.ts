import { describeEngineRaces } from './race-two-engines.js';

describeEngineRaces(5, 10);
describeEngineRaces(30, 5);
describeEngineRaces(100, 2);
