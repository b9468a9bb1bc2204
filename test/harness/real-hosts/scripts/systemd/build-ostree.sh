#!/bin/sh
# Makes an OSTree repository with a tree per version, and a disk with the first version deployed. Arguments: the folder to fill, the
# layers of the system, its kind, then the versions. A coreos follows a branch on which all versions are; a bootc follows an image, and
# the repository stands for the registry: each version has a tag of its own, and `stable` is the last.
set -e
scripts=$(dirname "$0")
folder=$1 layers=$2 kind=$3
shift 3
first=$1 repo=$folder/repo tree=$folder/tree disk=$folder/disk
case $kind in
coreos) os=fedora-coreos remote=fedora ref=fedora/stable ;;
bootc) os=default remote=registry ref=image/stable ;;
esac
mount -t overlay overlay -o "lowerdir=$layers" /mnt
cp -a /mnt "$tree"
umount /mnt

cd "$tree"
rm -rf dev/* proc/* sys/* run/* tmp/* boot/* root home srv opt mnt media usr/share/doc usr/share/man usr/share/locale
mkdir -p sysroot boot
# What is not the system's is in /var, which is kept over deployments.
for name in home srv opt mnt; do ln -s "var/$name" "$name"; done
ln -s var/roothome root
ln -s run/media media
ln -s sysroot/ostree ostree
rm -rf var
mkdir var
{
  printf 'd /var/%s 0755 root root -\n' home srv opt mnt log cache lib spool
  echo 'd /var/roothome 0700 root root -'
  echo 'd /var/tmp 1777 root root -'
} >usr/lib/tmpfiles.d/ostree-var.conf
case $kind in
coreos) install -m 755 "$scripts/rpm-ostree.sh" usr/bin/rpm-ostree ;;
bootc)
  install -m 755 "$scripts/bootc.sh" usr/bin/bootc
  install -D -m 755 "$scripts/ostree.sh" usr/local/bin/ostree ;;
esac
install -m 644 "$scripts/cmdline.service" usr/lib/systemd/system/tests-cmdline.service
mkdir -p usr/lib/systemd/system/sysinit.target.wants
ln -s ../tests-cmdline.service usr/lib/systemd/system/sysinit.target.wants/
kernel=usr/lib/modules/6.9.7
mkdir -p $kernel
echo kernel >$kernel/vmlinuz
echo initramfs >$kernel/initramfs.img
# A missing one would start the questions of a first boot.
: >etc/machine-id
rm -f etc/hostname etc/systemd/system/local-fs.target.wants/ostree-remount.service etc/os-release
ln -s ../usr/lib/os-release etc/os-release
mv etc usr/etc

os_release() {
  case $kind in
  coreos) cat <<END ;;
NAME="Fedora Linux"
VERSION="$1 (CoreOS)"
ID=fedora
VERSION_ID=${1%%.*}
PRETTY_NAME="Fedora CoreOS $1"
VARIANT="CoreOS"
VARIANT_ID=coreos
OSTREE_VERSION='$1'
END
  bootc) cat <<END ;;
NAME="CentOS Stream"
VERSION="$1 (Coughlan)"
ID="centos"
ID_LIKE="rhel fedora"
VERSION_ID="${1%%.*}"
PLATFORM_ID="platform:el10"
PRETTY_NAME="CentOS Stream $1 (Coughlan)"
OSTREE_VERSION='$1'
END
  esac
}

ostree --repo="$repo" init --mode=archive
for version; do
  mkdir -p "$folder/delta/usr/lib"
  os_release "$version" >"$folder/delta/usr/lib/os-release"
  # A later version is the one before and what is new in it.
  if [ "$version" = "$first" ]; then below=dir=$tree; else below=ref=$ref; fi
  # Without a note of its branch: others are made of it.
  ostree --repo="$repo" commit -b $ref --no-bindings --tree="$below" --tree=dir="$folder/delta" --add-metadata-string=version="$version"
  [ $kind = coreos ] || ostree --repo="$repo" refs --create="image/$version" $ref
done
ostree --repo="$repo" summary -u

# Else the root of the deployment is immutable, and no cache could be removed.
export OSTREE_SYSROOT_DEBUG=mutable-deployments
commit=$(ostree --repo="$repo" log $ref | sed -n 's/^commit //p' | tail -n 1)
mkdir "$disk"
ostree admin init-fs "$disk"
ostree admin --sysroot="$disk" os-init $os
ostree --repo="$disk/ostree/repo" remote add --no-gpg-verify $remote http://packages.invalid/ostree
ostree --repo="$disk/ostree/repo" config set sysroot.bootloader none
ostree --repo="$disk/ostree/repo" pull-local --remote=$remote "$repo" "$commit"
set -- --os=$os --karg=root=LABEL=root --karg=rw
case $kind in
coreos)
  ostree --repo="$disk/ostree/repo" refs --create=$remote:$ref "$commit"
  ostree admin --sysroot="$disk" deploy "$@" $remote:$ref ;;
bootc)
  printf '[origin]\ncontainer-image-reference=ostree-unverified-registry:registry.test/os:stable\n' >"$folder/origin"
  ostree admin --sysroot="$disk" deploy "$@" --origin-file="$folder/origin" "$commit" ;;
esac
rm -rf "$tree" "$folder/delta"
