import { Database } from './database.mjs';
import { quickCheck } from './quick-check.mjs';

// Reads the whole file in one call of SQLite, which takes seconds for a large one. A thread in that call cannot be ended, and the
// stop of its process would wait for it.

const db = new Database(process.argv[2], { readonly: true });
process.send?.(quickCheck(db));
db.close();
process.disconnect();
