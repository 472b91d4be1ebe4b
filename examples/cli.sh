#!/usr/bin/env bash
# The command line on a machine that needs no model.
set -euo pipefail

# #region steps
npm run redial -- run examples/door.json
npm run redial -- replay --all
npm run redial -- projections list
# #endregion
