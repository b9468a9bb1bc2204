#!/bin/sh
# Boots a systemd host in fresh namespaces. Arguments: the host's folder, its name, the layers below it, the bridge, then its control
# groups. systemd-nspawn ends with 133 when the host wants to reboot.
set -e
host=$1 name=$2 layers=$3 bridge=$4 root=$1/root
shift 4
for group; do echo 0 >"$group/cgroup.procs"; done
mount --make-rprivate /
mount -t proc proc /proc
# What nspawn notes there is gone with the namespace.
mount -t tmpfs tmpfs /run
mount -t overlay overlay -o "lowerdir=$layers,upperdir=$host/upper,workdir=$host/work" "$root"
set --
# An OSTree host has a boot loader: of its entries that with the highest version counts, or the one before if it is told to fall back.
# nspawn hides the root that it pivots away from, so what is bound from there needs a second way to it.
if [ -d "$root/ostree/deploy" ]; then
  if [ -e "$host/falls-back" ]; then from_end=2; else from_end=1; fi
  entry=$(grep -H '^version ' "$root"/boot/loader/entries/*.conf | sort -t' ' -k2 -n | tail -n $from_end | head -n 1 | cut -d: -f1)
  link=$(grep -o 'ostree=[^ ]*' "$entry" | cut -d= -f2)
  deployment=$(readlink -f "$root$link")
  folder=${deployment#"$root"}
  os=${folder#/ostree/deploy/}
  os=${os%%/*}
  mount --bind "$root" "$host/physical"
  : >"$host/ostree-booted"
  sed -n 's/^options //p' "$entry" >"$host/cmdline"
  set -- "--pivot-root=$folder:/sysroot" "--bind=$host/physical/ostree/deploy/$os/var:/var" \
    "--bind=$host/physical/boot:/boot" "--bind-ro=$host/physical$folder/usr:/usr" "--bind-ro=$host/ostree-booted:/run/ostree-booted" \
    "--bind-ro=$host/cmdline:/run/tests-cmdline"
fi
exec systemd-nspawn --quiet --directory="$root" --boot --machine="$name" --hostname="$name" --register=no --keep-unit \
  --network-bridge="$bridge" --link-journal=no --console=pipe --resolv-conf=off --timezone=off "$@"
