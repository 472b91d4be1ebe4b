#!/usr/bin/env bash
# A refund decided over HTTP, by a person: no key needed. Expects a server: `npm start`.
set -euo pipefail
redial=${REDIAL_URL:-http://127.0.0.1:3000}
run=$(date +%s)
post() {
  curl -sS --fail-with-body -w '\n' "$redial$1" -H 'content-type: application/json' -H "idempotency-key: $run-$2" -d "$3"
}
member() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }

# #region steps
post /v1/machines define-1 "@examples/refunds.json" >/dev/null
session=$(post /v1/sessions create-1 '{"machineName":"refunds","metaJson":{"text":"The cup is broken."}}' | member sessionId)

proposal=$(post "/v1/sessions/$session/proposals" propose-1 \
  '{"specialistId":"refund-lead","transitionName":"deny","reasoning":"Not our cup."}' | member proposalId)
post "/v1/sessions/$session/transitions" decide-1 \
  '{"transitionName":"deny","toState":"closed","proposalId":"'"$proposal"'"}'

curl -sS "$redial/v1/sessions/$session/events"
post "/v1/sessions/$session/replay" replay-1 '{}'
# #endregion
