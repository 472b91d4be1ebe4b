#!/usr/bin/env bash
# A loan that two proposers disagree about, decided by a person: no key needed. Expects a server: `npm start`.
set -euo pipefail
redial=${REDIAL_URL:-http://127.0.0.1:3000}
run=$(date +%s)
post() {
  curl -sS --fail-with-body -w '\n' "$redial$1" -H 'content-type: application/json' -H "idempotency-key: $run-$2" -d "$3"
}
get() { curl -sS --fail-with-body -w '\n' "$redial$1"; }
member() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }

# #region steps
post /v1/machines define-1 "@examples/loans.json" >/dev/null
session=$(post /v1/sessions create-1 '{"machineName":"loans","metaJson":{"amount":40}}' | member sessionId)

post "/v1/sessions/$session/run" run-1 '{}' | member status # needs_human: no proposer is trusted yet
get /v1/inbox                                               # the session, with its proposals
post "/v1/sessions/$session/arbitrations" decide-1 \
  '{"specialistId":"lender","transitionName":"approve","reasoning":"Small enough."}'

get /v1/machines/loans/alignment # how often each proposer agreed with the lender
get /v1/machines/loans/metrics   # the share of decisions without people, and more
# #endregion
