#!/usr/bin/env bash
# Builds the container image twice, checks its content, and runs it with runc as its own configuration says: with its user, a
# root that is read only, and a network of its own.
# Usage: test.sh FOOTFALL NOTICES, as for Packaging/image.py
set -euo pipefail
footfall=$(realpath "$1")
notices=$(realpath "$2")
package=$(realpath "$(dirname "$0")/../..")
[ "$(id -u)" = 0 ] || { echo "test.sh needs root for containers"; exit 1; }

missing=$(for tool in curl jq nsenter runc skopeo umoci; do command -v $tool >/dev/null || echo $tool; done)
if [ -n "$missing" ]; then apt-get update -qq && apt-get install -y -qq --no-install-recommends ${missing/nsenter/util-linux} >/dev/null; fi

work=$(mktemp -d)
name=footfall-$$
trap 'runc delete --force $name 2>/dev/null || true; rm -rf "$work"' EXIT
check() { echo "  $1"; }
fail() { echo "test.sh: $1" >&2; exit 1; }
# eventually COMMAND…: waits until the command succeeds, a minute at most.
eventually() { for _ in $(seq 600); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; fail "never: $*"; }

cd "$work"
export SOURCE_DATE_EPOCH=1795132800
"$package/Packaging/image.py" "$footfall" "$notices" image.tar
# Names, times and modes of the inputs have no part in the image.
cp "$footfall" renamed && touch renamed && cp -R --no-preserve=mode "$notices" copies
(umask 077 && TZ=Asia/Tokyo "$package/Packaging/image.py" renamed copies again.tar >/dev/null)
cmp image.tar again.tar
check "two builds are equal, byte by byte"

version=$("$footfall" --version)
skopeo inspect oci-archive:image.tar | jq -e --arg version "$version" '.Labels."org.opencontainers.image.version" == $version' >/dev/null
skopeo copy --quiet oci-archive:image.tar docker-archive:docker.tar
mkdir layout && tar -xf image.tar -C layout
umoci unpack --image "layout:$version" bundle >/dev/null
check "skopeo reads and converts it, umoci unpacks it"
for path in bin/sh usr/bin/python3 bin/busybox; do [ ! -e "bundle/rootfs/$path" ] || fail "the image has $path"; done
for text in Footfall Swift libgsl; do [ -s "bundle/rootfs/usr/share/doc/footfall/$text" ] || fail "no license of $text"; done
[ -z "$(find bundle/rootfs -perm /6000)" ] || fail "the image has files that change the user"
[ -z "$(find bundle/rootfs -user 65532 ! -path '*/data')" ] || fail "the user owns files of the image"
check "it has licenses and no shell, and its user owns nothing but /data"

# container ARGUMENT…: runs the image with these arguments, or with its own ones.
mkdir -m 700 data && chown 65532:65532 data
cp bundle/config.json original.json
container() {
    jq --arg data "$work/data" --args '.root.readonly = true | .process.terminal = false
        | .mounts += [{destination: "/data", type: "bind", source: $data, options: ["bind", "rw"]}]
        | if ($ARGS.positional | length) > 0 then .process.args = ["/usr/bin/footfall"] + $ARGS.positional else . end' \
        -- "$@" <original.json >bundle/config.json
    runc run --bundle bundle "$name"
}
cp "$package/SensorTraces/walk-wrist.csv" data/
start=$(date -u -d '-1 hour' +%Y-%m-%dT%H:%M:%S)
container analyze /data/walk-wrist.csv --start "$start" --tz Asia/Kathmandu --source wrist --history /data/history.sqlite >output
grep -q '^218 steps' output && grep -q Kathmandu output
[ "$(stat -c %u data/history.sqlite)" = 65532 ]
check "analyze records a mounted log: 218 steps, in a file of the user 65532, with a root that is read only"

jq -r '.config.Healthcheck.Test | join(" ")' "layout/blobs/sha256/$(jq -r '.config.digest | sub("sha256:"; "")' \
    "layout/blobs/sha256/$(jq -r '.manifests[0].digest | sub("sha256:"; "")' layout/index.json)")" >test
grep -q '^CMD /usr/bin/healthy 8321$' test
echo 0123456789abcdef0123456789abcdef >data/token && chown 65532 data/token && chmod 600 data/token
container 2>server.log &
healthy() { runc exec "$name" /usr/bin/healthy 8321; }
eventually healthy
inside=$(runc state "$name" | jq .pid)
ask() { nsenter --target "$inside" --net curl --silent --fail "$@" http://127.0.0.1:8321/api/v1/sources; }
ask --header "Authorization: Bearer $(cat data/token)" | jq -e '.[0].steps == 218' >/dev/null
if ask; then fail "the server answers without its token"; fi
check "serve is healthy, answers with its token, and refuses without it"
# A server that is stopped takes connections and gives no answer.
kill -STOP "$inside"
if healthy 2>/dev/null; then fail "a server that does not answer is healthy"; fi
kill -CONT "$inside"
runc kill "$name" TERM
wait $!
check "the health check notices a server that does not answer; SIGTERM ends it with 0"
