// POSIX shell script that collects the facts of a host in one round trip, without root. It uses only shell builtins,
// `uname`, `df` and `timeout`. Values that are missing or not readable are omitted. facts.ts parses the output.

import type { Argv } from '../../domain/command.ts';
import { TOOLS } from './os-driver.ts';

export const FACTS_BEGIN = 'hostler-facts-begin';
export const FACTS_END = 'hostler-facts-end';

/** Local file systems. `df` must not access network file systems, because it can hang. */
const DISK_TYPES = 'ext2|ext3|ext4|xfs|btrfs|zfs|bcachefs|f2fs|jfs|nilfs2|reiserfs|vfat|msdos|exfat|ntfs3';

// os-release is untrusted: only a regular file is read, and only 200 lines, because a pipe or /dev/zero has no end.
const SYSTEM = `
read -r value </proc/sys/kernel/hostname && printf 'hostname %s\\n' "$value"
read -r value </proc/sys/kernel/random/boot_id && printf 'boot-id %s\\n' "$value"
read -r value </proc/sys/kernel/osrelease && printf 'kernel %s\\n' "$value"
read -r value _ </proc/uptime && printf 'uptime %s\\n' "$value"
value=$(uname -m) && printf 'architecture %s\\n' "$value"
for file in /etc/os-release /usr/lib/os-release; do
  [ -f "$file" ] && [ -r "$file" ] || continue
  count=0
  while [ "$count" -lt 200 ] && { IFS= read -r line || [ -n "$line" ]; }; do
    printf 'os-release %s\\n' "$line"
    count=$((count + 1))
  done <"$file"
  break
done
for tool in ${TOOLS.join(' ')}; do
  if command -v "$tool" >/dev/null || [ -x "/usr/sbin/$tool" ] || [ -x "/sbin/$tool" ] || [ -x "/usr/bin/$tool" ]
  then printf 'tool %s\\n' "$tool"
  fi
done`;

const SIZES = `
if read -r value </sys/devices/system/cpu/online; then printf 'online %s\\n' "$value"
else
  count=0
  while read -r key value; do [ "$key" = processor ] && count=$((count + 1)); done </proc/cpuinfo
  printf 'processors %s\\n' "$count"
fi
while read -r key value unit; do
  [ "$key" = MemTotal: ] || continue
  printf 'memory %s\\n' "$value"
  break
done </proc/meminfo`;

// The boot argument is a symbolic link to the directory of the deployment; the origin file is next to it. bootc refuses
// deployments with the groups below.
const OSTREE = `
if [ -e /run/ostree-booted ]; then
  printf 'ostree yes\\n'
  read -r line </proc/cmdline
  for value in $line; do
    case $value in ostree=*)
      folder=$(cd -P "/sysroot\${value#ostree=}" && pwd -P) || continue
      while read -r line; do
        case $line in
        container-image-reference*) printf 'container-image yes\\n' ;;
        '[packages]'|'[overrides]'|'[modules]'|'[rpmostree]') printf 'layered yes\\n' ;;
        esac
      done <"$folder.origin" ;;
    esac
  done
fi`;

// Only the first reachable mount point of a disk counts. Datasets of a ZFS pool share its space. This part is last and
// uses a timeout, because df of busybox accesses every mount, including unresponsive ones. `timeout 10 true` tests the
// syntax, which differs in old versions of busybox.
const SPACE = `
seen=' '
while read -r device point type rest; do
  [ "$point" = / ] || continue
  [ "$type" = zfs ] && device=\${device%%/*}
  seen="$seen$device "
done </proc/self/mounts
set -- /
while read -r device point type rest; do
  case $type in ${DISK_TYPES}) ;; *) continue ;; esac
  case $device in /dev/loop*|/dev/nbd*|/dev/rbd*) continue ;; esac
  case $point in /var/lib/kubelet/pods/*|/var/lib/kubelet/plugins/*) continue ;; esac
  [ "$type" = zfs ] && device=\${device%%/*}
  case $seen in *" $device "*) continue ;; esac
  case $point in *\\\\*) point=$(printf '%b' "$point") ;; esac
  [ -d "$point" ] || continue
  seen="$seen$device "
  set -- "$@" "$point"
done </proc/self/mounts
set -- df -P -k "$@"
timeout 10 true && set -- timeout 10 "$@"
"$@" | while IFS= read -r line; do printf 'disk %s\\n' "$line"; done`;

const SCRIPT = `set -f
LC_ALL=C
export LC_ALL
unset POSIXLY_CORRECT BLOCK_SIZE DF_BLOCK_SIZE BLOCKSIZE
printf '${FACTS_BEGIN}\\n'
{${SYSTEM}${SIZES}${OSTREE}${SPACE}
} 2>/dev/null
printf '${FACTS_END}\\n'
exit 0`;

export const FACTS_ARGV: Argv = ['sh', '-c', SCRIPT];
