FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/ops/prune-modules.cjs apps/ops/
# Optional packages of this platform (sharp, argon2) are needed; what the service never reads is removed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && node apps/ops/prune-modules.cjs

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.version="0.2.0"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY apps apps
COPY libs libs
COPY db db
COPY docs/guide docs/guide
# A volume on /data takes its owner from here; a container starts again with what it has compiled.
RUN mkdir -p /data compiled && chown node:node /data compiled
USER node
ENV NODE_COMPILE_CACHE=/app/compiled
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
EXPOSE 8080
# Node itself rather than npm, so that it receives signals; compose adds an init process.
CMD ["node", "apps/api/main.ts"]
