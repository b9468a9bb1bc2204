#!/bin/sh
# Makes an OSTree repository with a tree per version, and a disk with the first version deployed. Arguments: the folder to fill, the
# layers of the system, a front end for rpm-ostree, then the versions.
set -e
folder=$1 layers=$2 front=$3
shift 3
first=$1 ref=fedora/stable os=fedora-coreos repo=$folder/repo tree=$folder/tree disk=$folder/disk
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
install -m 755 "$front" usr/bin/rpm-ostree
kernel=usr/lib/modules/6.9.7
mkdir -p $kernel
echo kernel >$kernel/vmlinuz
echo initramfs >$kernel/initramfs.img
# A missing one would start the questions of a first boot.
: >etc/machine-id
rm -f etc/hostname etc/systemd/system/local-fs.target.wants/ostree-remount.service etc/os-release
ln -s ../usr/lib/os-release etc/os-release
mv etc usr/etc

ostree --repo="$repo" init --mode=archive
for version; do
  mkdir -p "$folder/delta/usr/lib"
  cat >"$folder/delta/usr/lib/os-release" <<END
NAME="Fedora Linux"
VERSION="$version (CoreOS)"
ID=fedora
VERSION_ID=${version%%.*}
PRETTY_NAME="Fedora CoreOS $version"
VARIANT="CoreOS"
VARIANT_ID=coreos
OSTREE_VERSION='$version'
END
  # A later version is the one before and what is new in it.
  if [ "$version" = "$first" ]; then below=dir=$tree; else below=ref=$ref; fi
  ostree --repo="$repo" commit -b $ref --tree="$below" --tree=dir="$folder/delta" --add-metadata-string=version="$version"
done
ostree --repo="$repo" summary -u

# Else the root of the deployment is immutable, and no cache could be removed.
export OSTREE_SYSROOT_DEBUG=mutable-deployments
commit=$(ostree --repo="$repo" log $ref | sed -n 's/^commit //p' | tail -n 1)
mkdir "$disk"
ostree admin init-fs "$disk"
ostree admin --sysroot="$disk" os-init $os
ostree --repo="$disk/ostree/repo" remote add --no-gpg-verify fedora http://packages.invalid/ostree
ostree --repo="$disk/ostree/repo" config set sysroot.bootloader none
ostree --repo="$disk/ostree/repo" pull-local --remote=fedora "$repo" "$commit"
ostree --repo="$disk/ostree/repo" refs --create=fedora:$ref "$commit"
ostree admin --sysroot="$disk" deploy --os=$os --karg=root=LABEL=root --karg=rw fedora:$ref
rm -rf "$tree" "$folder/delta"
