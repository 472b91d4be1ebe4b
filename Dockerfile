# The server, built from this folder: `docker compose up --build`.
FROM docker.io/library/node:22-bookworm AS build
WORKDIR /redial
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM docker.io/library/node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 REDIAL_DATA_DIR=/var/lib/redial
WORKDIR /redial
COPY --from=build /redial/package.json ./
COPY --from=build /redial/node_modules ./node_modules
COPY --from=build /redial/dist ./dist
RUN mkdir -p /var/lib/redial && chown node:node /var/lib/redial
USER node
VOLUME /var/lib/redial
EXPOSE 3000
CMD ["node", "dist/apps/server/src/main.js"]
