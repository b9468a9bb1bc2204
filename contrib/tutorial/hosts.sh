#!/bin/sh
# Creates three hosts on one machine for the tutorial (docs/getting-started/tutorial.md). Each host runs the Debian or Ubuntu of this
# machine in its own kernel namespaces, with its own root file system, name, address, sshd and apt. `reboot` on a host calls reboot(2) and
# restarts only that host. The hosts are on a bridge that is connected only to this machine. They share its kernel, as containers do, so
# do not run untrusted programs on them.
#
#   hosts.sh up KEY.pub                 create and start the hosts; KEY.pub can log in to the hosts one and two as root
#   hosts.sh list                       list the addresses and the number of boots
#   hosts.sh publish VERSION [broken]   publish a version of the package greeter for the hosts; broken: a version that fails
#   hosts.sh console NAME COMMAND ...   run a command on a host
#   hosts.sh down                       stop the hosts and remove all files
#
# Requires root and the packages mmdebstrap, iproute2 and openssh-client. All files are in /var/lib/hostler-tutorial.
set -eu
self=$(realpath "$0")
lab=/var/lib/hostler-tutorial
bridge=hostler-lab network=10.98.76
names='one two three'
# Time limit for a host to start or stop.
patience_s=60
# Capabilities of root on a host. Others would let it mount file systems, open the disks of this machine and load kernel modules.
powers='-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+net_bind_service,+sys_chroot,+sys_boot,+audit_write'
number() { case $1 in one) echo 11 ;; two) echo 12 ;; three) echo 13 ;; *) die "unknown host $1; the hosts are: $names" ;; esac; }
say() { printf '%s\n' "$*" >&2; }
die() { say "hosts.sh: $*"; exit 1; }
now_s() { date +%s; }
need_hosts() { [ -d "$lab" ] || die 'the hosts do not exist; create them with: hosts.sh up KEY.pub'; }

# If another interface used the same network, the bridge would hide it.
need_network() {
  taken=$({
    ip -4 route show table all match "$network.0/24"
    ip -4 route show table all root "$network.0/24"
  } | grep -vE '(^| )default( |$)' | head -n 1)
  [ -z "$taken" ] || die "the network $network.0/24 is already in use: $taken. If this is $bridge, run hosts.sh down; otherwise use another machine"
}

# Builds the root file system of the hosts from the package archive of this machine.
build_image() (
  say 'building the root file system of the hosts; this takes about a minute …'
  . /etc/os-release
  sources=$(grep -lE '^(deb |URIs:)' /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources 2>/dev/null || true)
  # In a file, because a proxy URL can contain a password and other users can read arguments.
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
  # Reboots only if tutorial-init is the first process; elsewhere it would reboot the machine. The file can be a link to systemctl, so it is removed first.
  rm -f sbin/reboot
  cat >sbin/reboot <<'END'
#!/bin/sh
[ -e /run/tutorial-host ] && grep -q tutorial-init /proc/1/cmdline && exec busybox reboot -f
echo 'this is not a host of the tutorial' >&2
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
  # The third host has no authorized key: it enrols itself with a token.
  [ "$1" = three ] || cp "$2" "$root/root/.ssh/authorized_keys"
  ip netns add "$1.$bridge"
  ip link add "lab-$1" type veth peer name eth0 netns "$1.$bridge"
  ip link set "lab-$1" master "$bridge" up
  ip -n "$1.$bridge" address add "$network.$(number "$1")/24" dev eth0
  ip -n "$1.$bridge" link set eth0 up
  ip -n "$1.$bridge" link set lo up
}

# Boots a host in a loop until it ends without a reboot. The kernel reports a reboot as SIGHUP (exit status 129).
keep_up() {
  # Outside the namespace, this would start a host with the addresses of the machine.
  [ "$(ip netns identify $$)" = "$1.$bridge" ] || die 'keep_up is an internal command'
  code=129
  while [ "$code" = 129 ]; do
    cat /proc/sys/kernel/random/uuid >"$lab/$1/boot-id"
    date >>"$lab/$1/boots"
    code=0
    unshare --mount --uts --ipc --pid --time --boottime "-$(cut -d. -f1 /proc/uptime)" --fork --kill-child "$self" boot "$1" || code=$?
  done
}

# Runs in new namespaces and becomes the first process of the host.
boot() {
  # Outside new namespaces, this would turn the machine itself into the host.
  [ "$$" = 1 ] || die 'boot is an internal command'
  root=$lab/$1/root
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  # These files control the machine, so the host gets them read-only.
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

# Prints the logs of a failed host and exits.
give_up() {
  say "hosts.sh: host $1 $2. Its logs:"
  tail -n 15 "$lab/$1/console" "$lab/$1/root/var/log/sshd.log" >&2 2>/dev/null || true
  die 'run hosts.sh down to remove the hosts'
}

wait_for() {
  deadline_s=$(($(now_s) + patience_s))
  until ssh-keyscan -T 1 "$network.$(number "$1")" 2>/dev/null | grep -q .; do
    kill -0 "$(cat "$lab/$1/pid")" 2>/dev/null || give_up "$1" 'did not boot'
    [ "$(now_s)" -lt "$deadline_s" ] || give_up "$1" "does not respond on port 22 of $network.$(number "$1")"
    sleep 0.1
  done
}

up() {
  [ "$(id -u)" = 0 ] || die 'this command requires root'
  [ -f "${1:-}" ] || die 'specify a public key file: hosts.sh up KEY.pub'
  [ ! -e "$lab" ] || die "$lab already exists; remove it with: hosts.sh down"
  for tool in mmdebstrap ip ssh-keygen; do
    command -v $tool >/dev/null || die "$tool is not installed; run: apt-get install mmdebstrap iproute2 openssh-client"
  done
  need_network
  unshare --mount --uts --ipc --pid --time --fork mount --make-rprivate / ||
    die 'cannot create namespaces here; use a virtual machine or a privileged container'
  mkdir -m 755 "$lab" "$lab/packages"
  publish 1
  build_image
  # Users of this machine must not run setuid programs of the hosts.
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
      give_up "$name" 'cannot install greeter'
  done
  list
}

# A package archive with one package. After an upgrade it requests a reboot, as a new kernel or libc does on Ubuntu.
publish() (
  need_hosts
  tree=$(mktemp -d) file=greeter_$1_all.deb
  mkdir -p "$tree/DEBIAN" "$tree/usr/bin"
  printf 'Package: greeter\nVersion: %s\nArchitecture: all\nMaintainer: the tutorial <root@localhost>\nDescription: greets\n' "$1" >"$tree/DEBIAN/control"
  printf '#!/bin/sh\n[ -z "$2" ] || : >/run/reboot-required\n' >"$tree/DEBIAN/postinst"
  case ${2:-} in
  '') printf '#!/bin/sh\necho "Hello, this is greeter %s."\n' "$1" ;;
  broken) printf '#!/bin/sh\necho "greeter %s is broken" >&2\nexit 1\n' "$1" ;;
  *) die "unknown argument $2; the only option is broken" ;;
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

# The first process of a host has the PID 1 in its namespace.
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
    # The processes of the host, and the loop that boots it again.
    deadline_s=$(($(now_s) + patience_s))
    while pids=$(ip netns pids "$space" 2>/dev/null) && [ -n "$pids" ]; do
      kill -KILL $pids 2>/dev/null || true
      [ "$(now_s)" -lt "$deadline_s" ] || die "cannot stop the host $name; its processes are: $pids"
      sleep 0.1
    done
    ip netns delete "$space"
  done
  ! ip link show "$bridge" >/dev/null 2>&1 || ip link delete "$bridge"
  rm -rf --one-file-system "$lab"
  say 'all hosts are removed'
}

case ${1:-} in
up | list | publish | console | down | keep_up | boot) "$@" ;;
*)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$self" >&2
  exit 2 ;;
esac
