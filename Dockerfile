# The server with its matches in /data: docker build -t duels . && docker run -p 8765:8765 -v duels:/data duels
# compose.yaml runs it with PostgreSQL; see docs/how-to/host.md.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/duels \
    && /opt/duels/bin/pip install --no-cache-dir --constraint constraints.txt ".[web,postgres]"

FROM python:3.13-slim
COPY --from=build /opt/duels /opt/duels
RUN useradd --uid 10001 --no-create-home duels && install --directory --owner duels /data
ENV PATH=/opt/duels/bin:$PATH DUELS_HOST=0.0.0.0 DUELS_PORT=8765 DUELS_DATABASE=/data/web.sqlite3
USER 10001
VOLUME /data
EXPOSE 8765
# The server watches its own workers, and ends within 10 seconds of SIGTERM.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"DUELS_PORT\"]}/readyz', timeout=4)"]
ENTRYPOINT ["duels"]
CMD ["serve"]
