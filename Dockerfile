# Builds and runs Sitelore: docker build -t sitelore . && docker run -p 3000:3000 -v sitelore:/data sitelore
# The set-up link stands in: docker logs <container>

ARG NODE_VERSION=24

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Only Node 20 has to compile the SQLite driver.
RUN npm ci \
  && if [ "$(node -p process.versions.napi)" -lt 10 ]; then \
    apt-get update && apt-get install -y --no-install-recommends python3 make g++ \
    && npm rebuild better-sqlite3-node20 --ignore-scripts=false; \
  fi
COPY . .
RUN node scripts/build.mjs && node scripts/build/copy-runtime-packages.mjs

FROM node:${NODE_VERSION}-bookworm-slim
WORKDIR /app
LABEL org.opencontainers.image.title=Sitelore org.opencontainers.image.version=0.1.0
# The embedding runtime must not report to its vendor; the product says so itself, for whatever else is run here.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data ORT_DISABLE_TELEMETRY=1
COPY --from=build /app/runtime/node_modules node_modules
COPY --from=build /app/build build
COPY package.json ./
COPY db/migrations db/migrations
COPY models models
COPY docs/manual docs/manual
RUN printf '#!/bin/sh\nexport INIT_CWD="$PWD"\ncd /app && exec node build/app/cli.js "$@"\n' > /usr/local/bin/sitelore \
  && chmod 755 /usr/local/bin/sitelore \
  && install -d -o node -g node -m 700 /data /data/secrets /files
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The young generation is kept small, as by npm start: a crawl makes much that is soon garbage.
CMD ["node", "build/app/index.js"]
