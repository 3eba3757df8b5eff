# What Wasl needs at run time, and nothing of what tests and builds need.
# `npm run pin-base` adds its digest before a release (SECURITY.md).
ARG BASE=node:24-slim
FROM ${BASE} AS modules
WORKDIR /app
COPY package.json package-lock.json ./
# The image brings Node, so the optional node-linux-* packages stay out.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM ${BASE}
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/cache \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json ./
COPY locales locales
COPY machines machines
COPY releases releases
COPY src src
# `wasl check` says what the settings mean.
RUN mkdir cache /data && chown node:node cache /data && ln -s /app/src/main.ts /usr/local/bin/wasl
USER node
# Loads the code once, without starting it, so that every start finds it compiled.
RUN node -e "import('/app/src/main.ts'); import('/app/src/store/redis.ts')"
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# What lives for one turn is collected where it was made: with 4 MB for it a sixth of the CPU went there under load, with 16 MB
# a fifteenth, and the process grows to some 225 MB either way. 32 and 64 MB take 30 and 60 MB more. What is made at the start is
# kept for ever (the states of the charts), and V8 would have the same code make what a turn needs where things are kept, to be
# looked through there.
CMD ["node", "--max-semi-space-size=64", "--no-allocation-site-pretenuring", "src/main.ts"]
