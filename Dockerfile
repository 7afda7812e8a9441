# Yorisoi as an image: docs/install.md says how it is run. Everything comes from the lock with hashes, wheels only.
FROM python:3.11-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/yorisoi
WORKDIR /src
COPY requirements/postgres.lock requirements/
RUN /opt/yorisoi/bin/pip install --only-binary :all: --require-hashes -r requirements/postgres.lock
COPY pyproject.toml README.md ./
COPY bot bot/
COPY core core/
COPY data data/
COPY prompts prompts/
COPY scheduler scheduler/
RUN /opt/yorisoi/bin/pip install --no-deps --no-build-isolation .

FROM python:3.11-slim
# The embedded model's runtime is linked to it, and the slim image lacks it.
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*
# A user of its own with a number that volumes can be given to; /data is the only place that is written to.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin yorisoi \
    && install -d -o yorisoi -g yorisoi -m 0700 /data
COPY --from=build /opt/yorisoi /opt/yorisoi
ENV PATH=/opt/yorisoi/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    YORISOI_DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
# 0: it runs and every character is connected. The first start may fetch the embedded model (1.1 GB) before that.
HEALTHCHECK --interval=2m --timeout=30s --start-period=10m --retries=3 CMD ["yorisoi", "status"]
ENTRYPOINT ["yorisoi"]
CMD ["run"]
