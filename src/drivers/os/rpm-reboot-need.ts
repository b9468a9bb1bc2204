// Whether a system of RPMs needs a reboot. `needs-restarting -r` knows best, but is a plugin that minimal systems lack, and it ends
// with 1 both when a reboot is needed and when it could not find out. So its words count and not its exit code, and where it has
// none, its rule is followed by hand: one of these packages was installed after the boot.

import type { Argv, Question } from '../../domain/command.ts';
import { linesOf } from './answer-text.ts';

/** Those that needs-restarting looks at. */
const PACKAGES =
  'kernel kernel-core kernel-rt glibc linux-firmware systemd dbus dbus-broker dbus-daemon openssl-libs gnutls microcode_ctl';

const SCRIPT = `LC_ALL=C
export LC_ALL
case $("$@" </dev/null) in
*'Reboot is required'*) echo reboot-needed; exit ;;
*'Reboot should not be necessary'*|*'Reboot is probably not necessary'*) echo reboot-not-needed; exit ;;
esac
while read -r key value; do [ "$key" = btime ] && booted=$value; done </proc/stat
[ -n "$booted" ] || exit 1
answer=reboot-not-needed
for installed in $(rpm -q --qf '%{INSTALLTIME} ' --whatprovides ${PACKAGES}); do
  case $installed in *[!0-9]*) ;; *) [ "$installed" -gt "$booted" ] && answer=reboot-needed ;; esac
done
echo "$answer"`;

/** `tool` is how needs-restarting is called. */
export const rpmRebootNeed = (...tool: Argv): Question<boolean> => ({
  argv: ['sh', '-c', SCRIPT, 'sh', ...tool],
  read: ran => {
    const lines = linesOf(ran);
    if (ran.exitCode !== 0) return undefined;
    if (lines.includes('reboot-needed')) return true;
    return lines.includes('reboot-not-needed') ? false : undefined;
  },
});
