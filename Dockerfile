# The server, built from this folder.
# `test/package/prove-image.mjs` takes the lines that install and start it from here and runs them without Docker.
# By digest where a build must be repeatable: --build-arg BUILD_IMAGE=docker.io/library/node@sha256:… and RUN_IMAGE likewise.
ARG BUILD_IMAGE=docker.io/library/node:22-bookworm
ARG RUN_IMAGE=docker.io/library/node:22-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /package
# The packed package with all its peer dependencies, as an application of its own: no development dependency can be missed.
# All packages have the versions and hashes of package-lock.json.
WORKDIR /redial
RUN node /build/tools/image-lock.mjs && npm install --omit=dev --no-audit --no-fund /package/redial-engine-*.tgz

FROM ${RUN_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 REDIAL_DATA_DIR=/var/lib/redial
RUN groupadd --gid 10001 redial \
  && useradd --uid 10001 --gid redial --home-dir /var/lib/redial --no-create-home --shell /usr/sbin/nologin redial \
  && install --directory --owner=redial --group=redial --mode=0750 /var/lib/redial
WORKDIR /redial
COPY --from=build /redial ./
# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
# The one folder it writes to: the root file system may be read-only.
VOLUME /var/lib/redial
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets SIGTERM itself: the server ends its work and exits.
CMD ["node", "node_modules/redial-engine/dist/bin/server.js"]
