import { describeRowsContract } from '../testing/rows.contract.js';
import { TestParts } from '../testing/test-parts.js';

describeRowsContract('SQLite', () => new TestParts(), { batchRuns: 6, restartRuns: 4 });
