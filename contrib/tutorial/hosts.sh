#!/bin/sh
# Three hosts on one machine, for the tutorial (docs/getting-started/tutorial.md). Each is a Debian or Ubuntu, as this machine is, with a root file system,
# a name, an address, an sshd and an apt of its own, in namespaces of the kernel: it boots in a moment, and `reboot` on it is the real
# reboot(2), which ends that host alone. They are on a bridge that leads nowhere but to this machine. Root on a host can do less than root of
# the machine, but has the same kernel, as in a container: it is not for programs that mean harm.
#
#   hosts.sh up KEY.pub        makes the three and starts them; KEY.pub lets its owner in on the first two, as root
#   hosts.sh list              their addresses, and how often each has booted
#   hosts.sh publish VERSION   puts this version of the package greeter where their apt looks; `broken` behind it: one that does not work
#   hosts.sh console NAME ...  runs a command on a host, as if you sat at it
#   hosts.sh down              ends them, and removes all that was made
#
# It needs root, and the packages mmdebstrap, iproute2 and openssh-client. Everything is in /var/lib/hostler-tutorial.
set -eu
self=$(realpath "$0")
lab=/var/lib/hostler-tutorial
bridge=hostler-lab network=10.98.76
names='one two three'
# How long a host may take to come up, or to end.
patience_s=60
# What root on a host may do. Without a limit it could mount, make devices of this machine's disks and load modules into its kernel.
powers='-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+net_bind_service,+sys_chroot,+sys_boot,+audit_write'
number() { case $1 in one) echo 11 ;; two) echo 12 ;; three) echo 13 ;; *) die "there is no host $1; there are $names" ;; esac; }
say() { printf '%s\n' "$*" >&2; }
die() { say "hosts.sh: $*"; exit 1; }
now_s() { date +%s; }
need_hosts() { [ -d "$lab" ] || die 'there are no hosts yet: hosts.sh up KEY.pub'; }

# A bridge cuts this machine off from whoever else has its network.
need_network() {
  taken=$({
    ip -4 route show table all match "$network.0/24"
    ip -4 route show table all root "$network.0/24"
  } | grep -vE '(^| )default( |$)' | head -n 1)
  [ -z "$taken" ] || die "$network.0/24 is in use here: $taken. If that is $bridge, hosts.sh down removes it; else take a machine that does not have it"
}

# The root file system of all of them, from where this machine gets its packages. This is what takes time.
build_image() (
  say 'building a small system for the hosts; this takes a minute …'
  . /etc/os-release
  sources=$(grep -lE '^(deb |URIs:)' /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources 2>/dev/null || true)
  # In a file: a proxy may have a password, which an argument would show to all.
  (umask 077 && apt-config dump | sed -nE '/^Acquire::([A-Za-z]+::Proxy|Check-Valid-Until)/p' >"$lab/apt.conf")
  mmdebstrap --quiet --mode=root --variant=minbase --include=openssh-server,busybox,curl \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --aptopt="$lab/apt.conf" "$VERSION_CODENAME" "$lab/image" $sources
  rm "$lab/apt.conf"
  cd "$lab/image"
  rm -rf etc/apt/apt.conf.d/99mmdebstrap etc/ssh/ssh_host_* etc/apt/sources.list etc/apt/sources.list.d/* var/lib/apt/lists/* etc/hostname etc/resolv.conf
  echo 'deb [trusted=yes] file:/srv/packages ./' >etc/apt/sources.list
  printf 'PasswordAuthentication no\nUsePAM no\nUseDNS no\n' >etc/ssh/sshd_config.d/tutorial.conf
  # The first process of a host. /run is new at each boot.
  cat >sbin/tutorial-init <<'END'
#!/bin/sh
mkdir -p /run/sshd /run/lock
: >/run/tutorial-host
/usr/sbin/sshd -D -e </dev/null >>/var/log/sshd.log 2>&1 &
wait $!
END
  # Only where that process is the first one: anywhere else this would reboot the machine. A link to systemd's must not be written through.
  rm -f sbin/reboot
  cat >sbin/reboot <<'END'
#!/bin/sh
[ -e /run/tutorial-host ] && grep -q tutorial-init /proc/1/cmdline && exec busybox reboot -f
echo 'this is no host of the tutorial' >&2
exit 1
END
  chmod 755 sbin/tutorial-init sbin/reboot
)

make_host() {
  host=$lab/$1 root=$lab/$1/root
  mkdir "$host"
  cp -a --reflink=auto "$lab/image" "$root"
  ssh-keygen -q -t ed25519 -N '' -C "root@$1" -f "$root/etc/ssh/ssh_host_ed25519_key"
  cp "$root/etc/ssh/ssh_host_ed25519_key.pub" "$host/host_key.pub"
  echo "$1" >"$root/etc/hostname"
  printf '127.0.0.1 localhost %s\n' "$1" >"$root/etc/hosts"
  tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
  mkdir -p -m 700 "$root/root/.ssh"
  # The third knows nobody: it is going to introduce itself.
  [ "$1" = three ] || cp "$2" "$root/root/.ssh/authorized_keys"
  ip netns add "$1.$bridge"
  ip link add "lab-$1" type veth peer name eth0 netns "$1.$bridge"
  ip link set "lab-$1" master "$bridge" up
  ip -n "$1.$bridge" address add "$network.$(number "$1")/24" dev eth0
  ip -n "$1.$bridge" link set eth0 up
  ip -n "$1.$bridge" link set lo up
}

# Boots a host again and again, until it ends in another way than by a reboot, which the kernel tells by SIGHUP (129).
keep_up() {
  # Anywhere else a second one would come up, with the addresses of the machine itself.
  [ "$(ip netns identify $$)" = "$1.$bridge" ] || die 'keep_up is for the script itself'
  code=129
  while [ "$code" = 129 ]; do
    cat /proc/sys/kernel/random/uuid >"$lab/$1/boot-id"
    date >>"$lab/$1/boots"
    code=0
    unshare --mount --uts --ipc --pid --time --boottime "-$(cut -d. -f1 /proc/uptime)" --fork --kill-child "$self" boot "$1" || code=$?
  done
}

# In new namespaces: becomes the first process of the host.
boot() {
  # Anywhere else it would turn the machine itself into the host.
  [ "$$" = 1 ] || die 'boot is for the script itself'
  root=$lab/$1/root
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  # These are the machine's own, and belong to whoever is root.
  for file in bus fs irq sys sysrq-trigger; do
    [ ! -e "$root/proc/$file" ] || mount --bind -o ro "$root/proc/$file" "$root/proc/$file"
  done
  mount --bind "$lab/$1/boot-id" "$root/proc/sys/kernel/random/boot_id"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mkdir -p "$root/srv/packages"
  mount --bind -o ro "$lab/packages" "$root/srv/packages"
  hostname "$1"
  cd "$root"
  pivot_root . mnt
  export PATH=/usr/sbin:/usr/bin:/sbin:/bin
  chroot . umount -l /mnt
  exec env -i PATH="$PATH" chroot . setpriv --inh-caps=-all --bounding-set="$powers" /sbin/tutorial-init
}

# Says what is known of a host with which something is wrong.
give_up() {
  say "hosts.sh: $1 $2. What is known of it:"
  tail -n 15 "$lab/$1/console" "$lab/$1/root/var/log/sshd.log" >&2 2>/dev/null || true
  die 'hosts.sh down removes what was made'
}

wait_for() {
  deadline_s=$(($(now_s) + patience_s))
  until ssh-keyscan -T 1 "$network.$(number "$1")" 2>/dev/null | grep -q .; do
    kill -0 "$(cat "$lab/$1/pid")" 2>/dev/null || give_up "$1" 'did not boot'
    [ "$(now_s)" -lt "$deadline_s" ] || give_up "$1" "does not answer on port 22 of $network.$(number "$1")"
    sleep 0.1
  done
}

up() {
  [ "$(id -u)" = 0 ] || die 'only root can make hosts'
  [ -f "${1:-}" ] || die 'name a public key: hosts.sh up KEY.pub'
  [ ! -e "$lab" ] || die "$lab is there already; hosts.sh down removes it"
  for tool in mmdebstrap ip ssh-keygen; do
    command -v $tool >/dev/null || die "there is no $tool: apt-get install mmdebstrap iproute2 openssh-client"
  done
  need_network
  unshare --mount --uts --ipc --pid --time --fork mount --make-rprivate / ||
    die 'there can be no namespaces here: take a virtual machine, or a container that is privileged'
  mkdir -m 755 "$lab" "$lab/packages"
  publish 1
  build_image
  # What root of a host makes setuid is not for users of this machine.
  chmod 700 "$lab"
  ip link add "$bridge" type bridge
  ip address add "$network.1/24" dev "$bridge"
  ip link set "$bridge" up
  for name in $names; do
    make_host "$name" "$1"
    ip netns exec "$name.$bridge" setsid "$self" keep_up "$name" >"$lab/$name/console" 2>&1 </dev/null &
    echo $! >"$lab/$name/pid"
  done
  for name in $names; do
    wait_for "$name"
    console "$name" sh -c 'apt-get -q update && apt-get -q -y install greeter' >>"$lab/$name/console" 2>&1 ||
      give_up "$name" 'could not install greeter'
  done
  list
}

# A repository of one package. What it asks for after an upgrade is what a new kernel or libc asks for on Ubuntu.
publish() (
  need_hosts
  tree=$(mktemp -d) file=greeter_$1_all.deb
  mkdir -p "$tree/DEBIAN" "$tree/usr/bin"
  printf 'Package: greeter\nVersion: %s\nArchitecture: all\nMaintainer: the tutorial <root@localhost>\nDescription: greets\n' "$1" >"$tree/DEBIAN/control"
  printf '#!/bin/sh\n[ -z "$2" ] || : >/run/reboot-required\n' >"$tree/DEBIAN/postinst"
  case ${2:-} in
  '') printf '#!/bin/sh\necho "Hello, this is greeter %s."\n' "$1" ;;
  broken) printf '#!/bin/sh\necho "greeter %s has lost its tongue" >&2\nexit 1\n' "$1" ;;
  *) die "what is $2? There is only: broken" ;;
  esac >"$tree/usr/bin/greeter"
  chmod 755 "$tree" "$tree/DEBIAN/postinst" "$tree/usr/bin/greeter"
  cd "$lab/packages"
  dpkg-deb --root-owner-group --build "$tree" "$file" >/dev/null
  {
    cat "$tree/DEBIAN/control"
    printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n' "$file" "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -d' ' -f1)"
  } >Packages
  rm -rf "$tree"
  say "greeter $1 is published"
)

# The host's first process calls itself number one.
first_process() {
  for pid in $(ip netns pids "$1.$bridge"); do
    ! grep -qs '^NSpid:.*[[:space:]]1$' "/proc/$pid/status" || echo "$pid"
  done
}

console() {
  number "$1" >/dev/null
  pid=$(first_process "$1" 2>/dev/null)
  [ -n "$pid" ] || die "$1 is not running"
  shift
  nsenter --target "$pid" --mount --uts --ipc --net --pid --time --root --wd -- setpriv --inh-caps=-all --bounding-set="$powers" "$@"
}

list() {
  need_hosts
  for name in $names; do
    printf '%-6s %s  booted %s\n' "$name" "$network.$(number "$name")" "$(wc -l <"$lab/$name/boots")"
  done
}

down() {
  for name in $names; do
    space=$name.$bridge
    [ -e "/run/netns/$space" ] || continue
    # All that runs on the host, and what would boot it again.
    deadline_s=$(($(now_s) + patience_s))
    while pids=$(ip netns pids "$space" 2>/dev/null) && [ -n "$pids" ]; do
      kill -KILL $pids 2>/dev/null || true
      [ "$(now_s)" -lt "$deadline_s" ] || die "$name does not end; these are its processes: $pids"
      sleep 0.1
    done
    ip netns delete "$space"
  done
  ! ip link show "$bridge" >/dev/null 2>&1 || ip link delete "$bridge"
  rm -rf --one-file-system "$lab"
  say 'the hosts are gone'
}

case ${1:-} in
up | list | publish | console | down | keep_up | boot) "$@" ;;
*)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$self" >&2
  exit 2 ;;
esac
