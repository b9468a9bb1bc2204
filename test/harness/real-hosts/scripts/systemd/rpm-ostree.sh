#!/bin/sh
# rpm-ostree of an OSTree host in the tests: what Hostler asks of it, by ostree itself. Deployments are real, staged, and written by
# ostree on the way down. There are no packages, no layers and no container images.
#
# What it says is taken from the sources of rpm-ostree 2026.2:
# - the fields of `status --json`: rust/src/daemon.rs (deployment_populate_variant), src/daemon/rpmostreed-deployment-utils.cxx, and
#   src/app/rpmostree-builtin-status.cxx for those around them. `finalization-locked` is there only when it is true. Left out is what is
#   empty without layers, and `base-commit-meta` beyond the version.
# - `upgrade` and `deploy`: src/app/rpmostree-builtin-upgrade.cxx and -deploy.cxx. Nothing new ends with 0, or with 77 if that was asked
#   for; an error ends with 1. Messages of the daemon: src/daemon/rpmostreed-transaction-types.cxx and rpmostreed-utils.cxx.
# - the driver: error_if_driver_registered in src/app/rpmostree-clientlib.cxx. It counts while its unit is active or has failed, and not
#   for commands of that unit itself.
# - `finalize-deployment`: finalize_deployment_transaction_execute in rpmostreed-transaction-types.cxx. It unlocks, and reboots by itself.
# The lock is the file that rpm-ostree wrote until 2024.6; the ostree of the image, 2022.7, knows no other, and heeds it.
set -f
locked=/run/ostree/staged-deployment-locked driver=/run/rpm-ostree/update-driver
remote=fedora branch=fedora/stable
die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}
# One line for each deployment, in the order of the boot loader: checksum, serial, version, booted, staged.
deployments() {
  ostree admin status | awk '
    $1 != "Version:" && / [0-9a-f]+\.[0-9]+( |$)/ { if (row) print row, version, booted, staged
      booted = /^\*/ ? "true" : "false"; staged = /\(staged\)/ ? "true" : "false"; version = ""
      sub(/^\*/, ""); split($2, id, "."); row = id[1] " " id[2] }
    $1 == "Version:" { version = $2 }
    END { if (row) print row, version, booted, staged }'
}
status() {
  comma=''
  printf '{"deployments":['
  deployments | while read -r checksum serial version booted staged; do
    timestamp=$(date -d "$(ostree show "$checksum" | sed -n 's/^Date: *//p')" +%s)
    printf '%s{"id":"fedora-coreos-%s.%s","osname":"fedora-coreos",' "$comma" "$checksum" "$serial"
    printf '"checksum":"%s","serial":%s,"version":"%s","timestamp":%s,' "$checksum" "$serial" "$version" "$timestamp"
    printf '"base-commit-meta":{"version":"%s"},"booted":%s,"staged":%s,' "$version" "$booted" "$staged"
    [ "$staged" = false ] || [ ! -e $locked ] || printf '"finalization-locked":true,'
    printf '"origin":"%s:%s","gpg-enabled":false,"pinned":false,"unlocked":"none",' "$remote" "$branch"
    printf '"requested-packages":[],"requested-local-packages":[],"requested-local-fileoverride-packages":[],'
    printf '"requested-base-removals":[],"requested-base-local-replacements":[],"regenerate-initramfs":false,'
    printf '"packages":[],"base-removals":[],"base-local-replacements":[],"base-remote-replacements":[]}'
    comma=,
  done
  printf '],"transaction":null,"cached-update":null,"update-driver":'
  if [ -e $driver ]; then
    read -r name unit <$driver
    printf '{"driver-name":"%s","driver-sd-unit":"%s"}}\n' "$name" "$unit"
  else printf 'null}\n'
  fi
}
own_unit() {
  sed -n 's|.*/\([^/]*\.service\)$|\1|p' /proc/self/cgroup | head -n 1
}
register_driver() {
  mkdir -p /run/rpm-ostree
  printf '%s %s\n' "$1" "$(own_unit)" >$driver
}
refuse_if_driven() {
  [ -z "$bypass" ] && [ -e $driver ] || return 0
  read -r name unit <$driver
  [ "$unit" != "$(own_unit)" ] || return 0
  case $(systemctl show -p ActiveState --value "$unit") in active | activating | reloading | failed) ;; *) return 0 ;; esac
  documentation=$(systemctl show -p Documentation --value "$unit")
  die "Updates and deployments are driven by $name ($unit)
See $name's documentation${documentation:+ at $documentation}
Use --bypass-driver to bypass $name and perform the operation anyways"
}
# The whole history that the repository has: each commit, and its version.
history() {
  ostree pull --commit-metadata-only --depth=-1 $remote $branch >/dev/null || exit 1
  ostree log $remote:$branch | awk '$1 == "commit" { commit = $2 } $1 == "Version:" { print commit, $2 }'
}
commit_of() {
  case $1 in
  revision=* | ????????????????????????????????????????????????????????????????)
    commit=${1#revision=}
    echo "Validating checksum '$commit'"
    history | grep -q "^$commit " || die "Checksum $commit not found in $remote:$branch" ;;
  *)
    echo "Resolving version '${1#version=}'"
    commit=$(history | awk -v version="${1#version=}" '$2 == version { print $1; exit }')
    [ -n "$commit" ] || die "Version ${1#version=} not found in $remote:$branch" ;;
  esac
}
unchanged() {
  echo "$1"
  exit "$unchanged_code"
}
# What comes next already is not staged a second time, and stays as it is, locked or not: the new commit is compared with that of the
# merge deployment (rpmostree_sysroot_upgrader_pull_base).
stage() {
  before=$(deployments | head -n 1)
  [ "${before%% *}" != "$commit" ] || unchanged 'No change.'
  said=$(ostree admin upgrade --stage "$@" 2>&1) || die "${said#error: }"
  [ "$(deployments | head -n 1)" != "$before" ] || unchanged 'No upgrade available.'
  rm -f $locked
  [ -z "$lock" ] || : >$locked
  echo 'Staging deployment... done'
  [ -z "$reboot" ] || exec systemctl reboot
  echo 'Run "systemctl reboot" to start a reboot'
}
finalize() {
  staged=$(deployments | awk 'NR == 1 && $5 == "true" { print $1 }')
  [ -n "$staged" ] || die 'No pending staged deployment found'
  [ "$staged" = "$1" ] || die "Expected staged base checksum $1, but found $staged"
  [ -e $locked ] || [ -n "$allow_unlocked" ] || die 'Staged deployment already unlocked'
  rm -f $locked
  exec systemctl reboot
}
lock='' reboot='' unchanged_code=0 bypass='' allow_unlocked='' name='' verb='' target='' commit=''
for word; do
  case $word in
  --lock-finalization) lock=yes ;;
  --bypass-driver) bypass=yes ;;
  --register-driver=*) name=${word#*=} ;;
  --allow-unlocked) allow_unlocked=yes ;;
  --reboot | -r) reboot=yes ;;
  --unchanged-exit-77) unchanged_code=77 ;;
  --json) ;;
  -*) die "Unknown option $word" ;;
  *) if [ -z "$verb" ]; then verb=$word; else target=$word; fi ;;
  esac
done
[ "$verb" = status ] || [ "$(id -u)" = 0 ] || die 'Not authorized'
case $verb in
status) status ;;
upgrade)
  refuse_if_driven
  stage ;;
deploy)
  refuse_if_driven
  [ -z "$name" ] || register_driver "$name"
  [ -n "$target" ] || [ -n "$name" ] || die 'REVISION must be specified'
  [ -n "$target" ] || exit 0
  commit_of "$target"
  stage --allow-downgrade "--override-commit=$commit" ;;
finalize-deployment)
  [ -n "$target" ] || die 'Must provide expected CHECKSUM or --allow-missing-checksum'
  finalize "$target" ;;
*) die "Unknown command '$verb'" ;;
esac
