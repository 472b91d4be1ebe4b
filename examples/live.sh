#!/usr/bin/env bash
# A model decides. Expects OPENAI_API_KEY.
set -euo pipefail

# #region steps
npm run redial -- run examples/refunds.json --meta '{"customer":"Ada","orderTotal":40,"text":"The cup came broken."}'
# #endregion
