# syntax=docker/dockerfile:1
# Three stages: build the site, install run-time packages, and copy both into a clean image.
# docs/decisions/0028-container.md gives the reasons.

FROM node:24-trixie-slim AS source
RUN install -d -o node -g node /app
USER node
WORKDIR /app
COPY --chown=node:node package.json package-lock.json .npmrc ./

FROM source AS build
RUN npm ci
COPY --chown=node:node . .
RUN npm run build

FROM source AS modules
RUN npm ci --omit=dev

FROM node:24-trixie-slim
# tini runs as PID 1: it forwards signals before Node has handlers, and reaps orphaned processes.
RUN apt-get update \
    && apt-get install -y --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o node -g node -m 0700 /data
WORKDIR /app
# Owned by root, so the site cannot change its own code even on a writable file system.
COPY --from=modules --chown=root:root /app/node_modules node_modules
COPY package.json .npmrc ./
COPY server/run.mjs server/nodeVersion.mjs server/buildStore.mjs server/
COPY --from=build --chown=root:root /app/dist dist

# npm runs the operators' commands; its cache goes to the only writable folder.
# Fewer glibc malloc arenas: memory of images and pages is returned to the system instead of kept per thread.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    NPM_CONFIG_CACHE=/tmp/npm \
    NPM_CONFIG_LOGS_MAX=0 \
    NPM_CONFIG_UPDATE_NOTIFIER=false
# a number, so that Kubernetes can check that it is not root
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "require('http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/healthz' }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=8", "dist/current/site/main.mjs"]

ARG VERSION=development
ARG REVISION=unknown
LABEL org.opencontainers.image.title="DTP" \
    org.opencontainers.image.description="A community's site: imageboard, radio, pastes, images, programs, news" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
