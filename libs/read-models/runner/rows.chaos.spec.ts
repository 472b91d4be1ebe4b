import { describeRowsContract } from '../testing/rows.contract.js';
import { TestParts } from '../testing/test-parts.js';

describeRowsContract('SQLite, at length', () => new TestParts(), { batchRuns: 20, restartRuns: 14 });
