# The bot alone, for Discord: docker run -e DISCORD_TOKEN=… -v cardroom:/data cardroom
# Its token comes from the environment at run time; nothing secret is in the image. compose.yaml runs it with less rights.
# The base image is named by its digest (Python 3.14.7, for all platforms); .github/dependabot.yml keeps it current.

FROM python:3.14-slim@sha256:e11c17f46f87983eb946b121694dedba6290ee2b0dd5294d137d82943502d179 AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/cardroom
ENV PATH=/opt/cardroom/bin:$PATH
WORKDIR /src
COPY requirements/ requirements/
# The runtime's packages, and the driver for who sets CARDROOM_DATABASE.
RUN pip install --require-hashes -r requirements/postgresql.lock
RUN pip install --require-hashes -r requirements/build.lock
COPY LICENSE NOTICE README.md pyproject.toml setup.py ./
COPY bot/ bot/
COPY cogs/ cogs/
COPY engines/ engines/
COPY docs/rules/ docs/rules/
COPY docs/rulings/ docs/rulings/
RUN pip install --no-deps --no-build-isolation . && pip uninstall --yes setuptools

FROM python:3.14-slim@sha256:e11c17f46f87983eb946b121694dedba6290ee2b0dd5294d137d82943502d179
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin cardroom \
    && install --directory --mode 0700 --owner cardroom --group cardroom /data /data/backups /data/shared
COPY --from=build /opt/cardroom /opt/cardroom
ENV PATH=/opt/cardroom/bin:$PATH PYTHONUNBUFFERED=1 CARDROOM_DATA_DIR=/data
USER cardroom
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["python", "-m", "bot.heartbeat"]
CMD ["cardroom", "bot", "--supervised"]
