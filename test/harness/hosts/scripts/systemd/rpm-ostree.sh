#!/bin/sh
# rpm-ostree of an OSTree host in the tests: what Hostler asks of it, by ostree itself, with real staged deployments. There are no
# packages and no container images.
set -f
locked=/run/ostree/staged-deployment-locked
remote=fedora branch=fedora/stable
die() {
  echo "error: $1" >&2
  exit 1
}
# One line for each deployment, in the order of the boot loader: checksum, serial, version, booted, staged.
deployments() {
  ostree admin status | awk '
    / [0-9a-f]+\.[0-9]+( |$)/ { if (row) print row, version, booted, staged
      booted = /^\*/ ? "true" : "false"; staged = /\(staged\)/ ? "true" : "false"; version = ""
      sub(/^\*/, ""); split($2, id, "."); row = id[1] " " id[2] }
    $1 == "Version:" { version = $2 }
    END { if (row) print row, version, booted, staged }'
}
status() {
  comma=''
  printf '{"deployments":['
  deployments | while read -r checksum serial version booted staged; do
    printf '%s{"id":"fedora-coreos-%s.%s","osname":"fedora-coreos",' "$comma" "$checksum" "$serial"
    printf '"checksum":"%s","serial":%s,"version":"%s","booted":%s,' "$checksum" "$serial" "$version" "$booted"
    printf '"staged":%s,"origin":"%s:%s","pinned":false,"packages":[]}' "$staged" "$remote" "$branch"
    comma=,
  done
  printf '],"transaction":null,"cached-update":null,"update-driver":null}\n'
}
# The commit of a version, from the history that the repository has.
commit_of() {
  ostree pull --commit-metadata-only --depth=-1 $remote $branch >/dev/null || exit 1
  ostree log $remote:$branch | awk -v version="$1" '$1 == "commit" { commit = $2 } $1 == "Version:" && $2 == version { print commit; exit }'
}
stage() {
  before=$(deployments | head -n 1)
  ostree admin upgrade --stage "$@" || exit 1
  if [ "$(deployments | head -n 1)" = "$before" ]; then
    echo 'No upgrade available.'
    exit "$unchanged"
  fi
  [ -z "$lock" ] || : >$locked
  echo 'Staging deployment... done'
  [ -z "$reboot" ] || exec systemctl reboot
}
lock='' reboot='' unchanged=0 verb='' target=''
for word; do
  case $word in
  --lock-finalization) lock=yes ;;
  --reboot | -r) reboot=yes ;;
  --unchanged-exit-77) unchanged=77 ;;
  -*) ;;
  *) if [ -z "$verb" ]; then verb=$word; else target=$word; fi ;;
  esac
done
[ "$verb" = status ] || [ "$(id -u)" = 0 ] || die 'Not authorized'
case $verb in
status) status ;;
upgrade) stage ;;
deploy)
  case $target in
  revision=*) commit=${target#*=} ;;
  *) commit=$(commit_of "${target#version=}") || exit 1 ;;
  esac
  [ -n "$commit" ] || die "Version ${target#version=} not found in $remote:$branch"
  stage --allow-downgrade "--override-commit=$commit" ;;
finalize-deployment)
  staged=$(deployments | awk '$5 == "true" { print $1 }')
  [ -n "$staged" ] || die 'No pending staged deployment found'
  [ "$staged" = "$target" ] || die "Expected staged base checksum $target, but found $staged"
  rm -f $locked
  exec systemctl reboot ;;
rollback)
  commit=$(deployments | awk 'found { print $1; exit } $4 == "true" { found = 1 }')
  [ -n "$commit" ] || die 'No deployments found to roll back to'
  stage --allow-downgrade "--override-commit=$commit" ;;
*) die "Unknown command '$verb'" ;;
esac
