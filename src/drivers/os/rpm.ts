// Checks whether an RPM system needs a reboot. `needs-restarting -r` is a plugin that minimal systems lack, and it
// exits with 1 both if a reboot is needed and if it fails, so its output is used. Without output, the script applies
// the rule of the plugin: one of these packages was installed after the boot.

import type { Argv, HostQuery } from '../../domain/command.ts';
import { scriptArgv } from '../../domain/command.ts';
import { outputLines } from './command-output.ts';
import type { SystemTraits } from './os-driver.ts';

/** Package-based systems with dnf or yum; each is its own `os`. */
export const RPM_OS_NAMES: readonly string[] = ['fedora', 'centos', 'rhel', 'rocky', 'almalinux'];

/** Does not check for OSTree: CoreOS identifies itself also if it was not booted from OSTree. */
export const isFedoraCoreos = (id: string, { variantId }: SystemTraits): boolean =>
  id === 'fedora' && variantId === 'coreos';

export const rpmOsName = (id: string, traits: SystemTraits): string | undefined =>
  RPM_OS_NAMES.includes(id) && !traits.isOstree && !isFedoraCoreos(id, traits) ? id : undefined;

/** bootc refuses hosts with layered packages; they stay with rpm-ostree. */
export const isBootcManaged = (id: string, traits: SystemTraits): boolean =>
  traits.isOstree &&
  traits.isContainerImage &&
  !traits.isLayered &&
  traits.tools.has('bootc') &&
  !isFedoraCoreos(id, traits);

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
result=reboot-not-needed
for installed in $(rpm -q --qf '%{INSTALLTIME} ' --whatprovides ${REBOOT_PACKAGES}); do
  case $installed in *[!0-9]*) ;; *) [ "$installed" -gt "$booted" ] && result=reboot-needed ;; esac
done
echo "$result"`;

export const rpmRebootRequired = (...tool: Argv): HostQuery<boolean> => ({
  argv: scriptArgv(REBOOT_SCRIPT, ...tool),
  parse: result => {
    const lines = outputLines(result);
    if (result.exitCode !== 0) return undefined;
    if (lines.includes('reboot-needed')) return true;
    return lines.includes('reboot-not-needed') ? false : undefined;
  },
});
