import { describeReadLoopContract } from '../testing/read-loop.contract.js';
import { TestParts } from '../testing/test-parts.js';

describeReadLoopContract('SQLite', () => new TestParts(), 40);
