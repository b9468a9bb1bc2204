import type { Argv, HostQuery } from '../../domain/command.ts';
import { outputLines } from './command-output.ts';
import type { SystemTraits } from './os-driver.ts';

/** The systems whose packages are RPMs from repositories of dnf or yum; each is its own `os`. */
export const RPM_OS_NAMES: readonly string[] = ['fedora', 'centos', 'rhel', 'rocky', 'almalinux'];

/** By what it says of itself alone: it is one also where it was not booted from an OSTree. */
export const isFedoraCoreos = (id: string, { variantId }: SystemTraits): boolean =>
  id === 'fedora' && variantId === 'coreos';

/** The `os` of a system that is upgraded by its packages, and not as a whole. */
export const rpmOsName = (id: string, traits: SystemTraits): string | undefined =>
  RPM_OS_NAMES.includes(id) && !traits.isOstree && !isFedoraCoreos(id, traits) ? id : undefined;

/** bootc refuses what rpm-ostree has layered something on; such a host stays with rpm-ostree. */
export const isBootcManaged = (id: string, traits: SystemTraits): boolean =>
  traits.isOstree &&
  traits.isContainerImage &&
  !traits.isLayered &&
  traits.tools.has('bootc') &&
  !isFedoraCoreos(id, traits);

// Whether a system of RPMs needs a reboot. `needs-restarting -r` knows best, but is a plugin that minimal systems lack, and it ends
// with 1 both when a reboot is needed and when it could not find out. So its words count and not its exit code, and where it has
// none, its rule is followed by hand: one of these packages was installed after the boot.

/** Those that needs-restarting looks at. */
const REBOOT_PACKAGES =
  'kernel kernel-core kernel-rt glibc linux-firmware systemd dbus dbus-broker dbus-daemon openssl-libs gnutls microcode_ctl';

const REBOOT_SCRIPT = `LC_ALL=C
export LC_ALL
case $("$@" </dev/null) in
*'Reboot is required'*) echo reboot-needed; exit ;;
*'Reboot should not be necessary'*|*'Reboot is probably not necessary'*) echo reboot-not-needed; exit ;;
esac
while read -r key value; do [ "$key" = btime ] && booted=$value; done </proc/stat
[ -n "$booted" ] || exit 1
answer=reboot-not-needed
for installed in $(rpm -q --qf '%{INSTALLTIME} ' --whatprovides ${REBOOT_PACKAGES}); do
  case $installed in *[!0-9]*) ;; *) [ "$installed" -gt "$booted" ] && answer=reboot-needed ;; esac
done
echo "$answer"`;

/** `tool` is how needs-restarting is called. */
export const rpmRebootRequired = (...tool: Argv): HostQuery<boolean> => ({
  argv: ['sh', '-c', REBOOT_SCRIPT, 'sh', ...tool],
  parse: result => {
    const lines = outputLines(result);
    if (result.exitCode !== 0) return undefined;
    if (lines.includes('reboot-needed')) return true;
    return lines.includes('reboot-not-needed') ? false : undefined;
  },
});
