#!/bin/sh
# What a light host has for rpm-ostree: versions have names and nothing in them. As with the real one a staged version is in /run, so
# that it is lost with the power, and written on an orderly way down unless it is locked.
booted=/var/lib/hostler-test/version staged=/run/ostree/staged-deployment locked=/run/ostree/staged-deployment-locked
known=/usr/lib/hostler-test/versions
sum() { printf %s "$1" | sha256sum | cut -d' ' -f1; }
row() { # version, booted, staged
  printf '{"osname":"fedora-coreos","serial":0,"origin":"fedora:fedora/stable","version":"%s","checksum":"%s",' "$1" "$(sum "$1")"
  printf '"booted":%s,"staged":%s,"pinned":false,"packages":[],"requested-packages":[]}' "$2" "$3"
}
stage() {
  [ "$1" = "$(cat $staged $booted 2>/dev/null | head -n 1)" ] && { echo 'No upgrade available.'; exit 0; }
  mkdir -p /run/ostree
  rm -f $locked
  [ -z "$lock" ] || : >$locked
  echo "$1" >$staged
  echo 'Staging deployment... done'
}
version_of() {
  while read -r each; do [ "$(sum "$each")" != "$1" ] || echo "$each"; done <$known
}
lock='' verb='' target=''
for word; do
  case $word in
  --lock-finalization) lock=yes ;;
  -*) ;;
  *) if [ -z "$verb" ]; then verb=$word; else target=$word; fi ;;
  esac
done
case $verb in
status)
  printf '{"deployments":['
  [ ! -e $staged ] || { row "$(cat $staged)" false true; printf ,; }
  row "$(cat $booted)" true false
  printf '],"transaction":null,"cached-update":null,"update-driver":null}\n' ;;
upgrade) stage "$(tail -n 1 $known)" ;;
deploy)
  case $target in revision=*) version=$(version_of "${target#*=}") ;; *) version=${target#version=} ;; esac
  grep -qxF "$version" $known || { echo "error: Version $target not found in fedora:fedora/stable" >&2; exit 1; }
  stage "$version" ;;
finalize-deployment)
  [ -e $staged ] || { echo 'error: No pending staged deployment found' >&2; exit 1; }
  [ "$(sum "$(cat $staged)")" = "$target" ] || { echo 'error: Expected another staged base checksum' >&2; exit 1; }
  rm -f $locked
  exec systemctl reboot ;;
*) echo "error: Unknown command '$verb'" >&2; exit 1 ;;
esac
