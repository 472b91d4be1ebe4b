import { describeEngineRaces } from './race-two-engines.js';

describeEngineRaces(0, 50);
describeEngineRaces(5, 100);
describeEngineRaces(30, 100);
describeEngineRaces(100, 20);
describeEngineRaces(1000, 2);
