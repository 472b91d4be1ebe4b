#!/usr/bin/env bash
# Packs Redial, runs the Dockerfile's steps with the package, installs it into a bare Nest application in a temporary folder,
# type-checks and runs that. Compiles a program with a client that a generator makes of the OpenAPI document.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

node tools/build-if-needed.mjs
npm pack --silent --ignore-scripts --pack-destination "$folder" >/dev/null
npx --yes publint@0.3.25 --strict "$folder"/redial-engine-*.tgz
npx --yes @arethetypeswrong/cli@0.18.5 "$folder"/redial-engine-*.tgz --profile esm-only --quiet
cp -R test/package/consumer/. "$folder/"
# The native module that `npm ci` compiled or got here, where its own installation looks for one before it compiles for two minutes.
native=node_modules/better-sqlite3-node20
abi=$(node -p '`v${require("./'$native'/package.json").version}-node-v${process.versions.modules}-${process.platform}-${process.arch}`')
export npm_config_better_sqlite3_local_prebuilds="$folder/prebuilds"
mkdir "$npm_config_better_sqlite3_local_prebuilds"
tar -czf "$npm_config_better_sqlite3_local_prebuilds/better-sqlite3-$abi.tar.gz" -C "$native" build/Release/better_sqlite3.node
cd "$folder"
npm install --silent --no-audit --no-fund ./redial-engine-*.tgz
bytes=$(du -sb node_modules/redial-engine | cut -f1)
echo "redial-engine: $bytes bytes, with all that an application installs: $(du -sb node_modules | cut -f1)"
[ "$bytes" -le 8000000 ] || { echo 'The package has more than 8,000,000 bytes.' >&2; exit 1; }
# npm keeps what is there in the version that it wants: the native modules are compiled by the first installation alone.
node "$root/test/package/prove-image.mjs" redial-engine-*.tgz openapi.json
npx tsc -p tsconfig.json
node dist/main.js
npx redial-engine run "$root/examples/door.json" --data-dir "$folder/cli" --json >/dev/null
if npx redial-engine serve --data-dir "$folder/cli" 2>"$folder/refusal"; then
  echo 'The server started without its packages.' >&2
  exit 1
fi
grep -q 'npm i helmet@8 prom-client@15 swagger-ui-dist@5' "$folder/refusal"
npm install --silent --no-audit --no-fund helmet@8 prom-client@15 swagger-ui-dist@5
node dist/http.js
npm install --silent --no-audit --no-fund quickjs-emscripten-core@0.32 @jitl/quickjs-ng-wasmfile-release-sync@0.32 sucrase@3 acorn@8
node dist/code.js
npx redial-engine replay --all --data-dir "$folder/cli"

# The application that create-redial makes: the two commands of its README, as a shell reads them.
npx create-redial created --redial "$(echo "$PWD"/redial-engine-*.tgz)"
cp -R node_modules created/
(cd created && awk '/^```/ { inside = !inside; fences += inside; next } inside && fences <= 2' README.md >commands && bash -e commands)

# The kit in the runners of applications: jest as ESM and with a CommonJS test file, vitest.
cp -R "$root/test/package/runners" runners
cp -R node_modules runners/
cd runners
npm install --silent --no-audit --no-fund ../redial-engine-*.tgz
node --experimental-vm-modules node_modules/jest/bin/jest.js
npx vitest run --test-timeout=30000

# The generator works with the API of TypeScript 5 and has one of its own; the program is compiled with the TypeScript of this project.
cd "$folder/generated-client"
npm install --silent --no-audit --no-fund
npx openapi-typescript ../openapi.json --output schema.d.ts
"$root/node_modules/.bin/tsc" -p tsconfig.json
