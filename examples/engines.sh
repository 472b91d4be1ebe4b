#!/usr/bin/env bash
# The server on EventStoreDB and PostgreSQL. Each of the two settings works alone.
set -euo pipefail

# #region steps
export EVENTSTOREDB_URL='esdb://127.0.0.1:2113?tls=false'
export DATABASE_URL='postgres://redial:secret@127.0.0.1:5432/redial'
npm start
# #endregion
