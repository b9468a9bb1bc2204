#!/bin/sh
# bootc of an OSTree host in the tests: what Hostler asks of it, by ostree itself. Deployments are real, staged, and written by ostree on
# the way down; their origin names an image, as bootc writes it. In place of a registry there is an OSTree repository: the branch
# image/TAG is the tag of the only image, and the manifest of an image is a line that names its commit.
#
# What it says is taken from the sources of bootc 1.1 (commit 8e2cf08):
# - `status --format=json`: lib/src/spec.rs for the names, lib/src/status.rs for what is in them. The image that is followed (`spec`) is
#   that of the staged deployment, else of the booted one. An image that was switched to without a signature policy has no `signature`.
# - `upgrade` and `switch`: lib/src/cli.rs, and lib/src/deploy.rs for what is said of a pull and of what is queued. Nothing new ends with 0.
#   What fails ends with 1, after a line that begins with ERROR; what skopeo says behind that is shortened here.
# bootc itself locks nothing here: `--download-only` came with 1.12, and not for `switch`.
set -f
remote=registry name=registry.test/os os=default
deployed=/sysroot/ostree/deploy/$os/deploy
die() {
  printf 'ERROR %s\n' "$1" >&2
  exit 1
}
digest_of() {
  printf 'sha256:%s' "$(printf 'the manifest of %s' "$1" | sha256sum | cut -d' ' -f1)"
}
version_of() {
  ostree show --print-metadata-key=version "$1" | tr -d "'"
}
image_in() {
  sed -n 's/^container-image-reference=ostree-unverified-registry://p' "$deployed/$1.origin"
}
# Sets `booted`, `staged`, `rollback`, each COMMIT.SERIAL or empty, and the image of what comes next.
look() {
  rows=$(ostree admin status | awk '$1 != "Version:" && / [0-9a-f]+\.[0-9]+( |$)/ {
    kind = /^\*/ ? "booted" : /\(staged\)/ ? "staged" : "rollback"; sub(/^\*/, ""); print kind, $2 }')
  row() { printf '%s\n' "$rows" | awk -v kind="$1" '$1 == kind { print $2; exit }'; }
  booted=$(row booted) staged=$(row staged) rollback=$(row rollback)
  followed=$(image_in "${staged:-$booted}")
}
reference() {
  printf '{"image":"%s","transport":"registry"}' "$1"
}
entry() {
  [ -n "$1" ] || {
    printf null
    return
  }
  commit=${1%.*}
  created=$(date -u -d "$(ostree show "$commit" | sed -n 's/^Date: *//p')" +%Y-%m-%dT%H:%M:%SZ)
  printf '{"image":{"image":%s,"version":"%s","timestamp":"%s",' "$(reference "$(image_in "$1")")" "$(version_of "$commit")" "$created"
  printf '"imageDigest":"%s"},"cachedUpdate":null,"incompatible":false,"pinned":false,' "$(digest_of "$commit")"
  printf '"store":"ostreeContainer","ostree":{"checksum":"%s","deploySerial":%s}}' "$commit" "${1##*.}"
}
status() {
  look
  printf '{"apiVersion":"org.containers.bootc/v1","kind":"BootcHost","metadata":{"name":"host"},'
  printf '"spec":{"image":%s,"bootOrder":"default"},"status":{"staged":' "$(reference "$followed")"
  entry "$staged"
  printf ',"booted":'
  entry "$booted"
  printf ',"rollback":'
  entry "$rollback"
  printf ',"rollbackQueued":false,"type":"bootcHost"}}\n'
}
# The commit that an image is now, by its tag or by its digest.
commit_of() {
  case $1 in
  *@*)
    for tag in $(ostree remote refs $remote | sed -n "s|^$remote:image/||p"); do
      found=$(ostree pull --commit-metadata-only $remote "image/$tag" >/dev/null && ostree rev-parse "$remote:image/$tag")
      [ "$(digest_of "$found")" != "${1#*@}" ] || echo "$found"
    done | head -n 1 ;;
  "$name":*) ostree pull --commit-metadata-only $remote "image/${1##*:}" >/dev/null 2>&1 && ostree rev-parse "$remote:image/${1##*:}" ;;
  esac
}
# Brings an image here; sets `commit` and `digest`.
pull() {
  commit=$(commit_of "$1")
  [ -n "$commit" ] || die "$2: Pulling: Creating importer: remote error: reading manifest of $1: manifest unknown"
  digest=$(digest_of "$commit")
  case $booted:$staged in *"$commit"*)
    echo "No changes in $1 => $digest"
    return ;;
  esac
  echo 'layers already present: 0; layers needed: 1'
  ostree pull $remote "$commit" >/dev/null || die "$2: Pulling: Importing"
}
stage() {
  printf '[origin]\ncontainer-image-reference=ostree-unverified-registry:%s\n' "$1" >/run/ostree/origin.new
  said=$(ostree admin deploy --os=$os --stage --origin-file=/run/ostree/origin.new "$commit" 2>&1) || die "$said"
  printf 'Queued for next boot: %s\n  Version: %s\n  Digest: %s\n' "$1" "$(version_of "$commit")" "$digest"
}
verb=$1
shift
[ "$(id -u)" = 0 ] || die 'This command must be executed as the root user'
mkdir -p /run/ostree
case $verb in
status)
  [ "$*" = --format=json ] || [ "$*" = --json ] || die "unexpected argument '$*'"
  status ;;
upgrade)
  [ $# = 0 ] || die "unexpected argument '$*'"
  look
  pull "$followed" Upgrading
  if [ "$commit" = "${staged%.*}" ]; then echo 'Staged update present, not changed.'
  elif [ "$commit" = "${booted%.*}" ]; then echo 'No update available.'
  else stage "$followed"
  fi ;;
switch)
  [ "$1" != -- ] || shift
  look
  [ "$1" != "$followed" ] || {
    echo 'Image specification is unchanged.'
    exit 0
  }
  pull "$1" Switching
  stage "$1" ;;
*) die "unrecognized subcommand '$verb'" ;;
esac
