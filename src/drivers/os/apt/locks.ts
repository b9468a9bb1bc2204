// Scripts that run the command they are given, and wait while somebody else is at work. Timers of the system upgrade too. apt-get
// waits by itself for the lock of dpkg, by an option, but not for those of the lists and of the archive; dpkg waits for none. Every
// other failure is the command's own, and nothing is tried again for it.

/** As long as apt-get waits by its option: 120 times 5 seconds. */
const loop = (first: string, locked: string): string => `LC_ALL=C
export LC_ALL
left=120
while :; do
${first}  said=$("$@" 2>&1)
  code=$?
  case $code:$said in
${locked}
  *) left=0 ;;
  esac
  [ "$left" -gt 0 ] || break
  left=$((left - 1))
  sleep 5
done
[ "$code" = 0 ] || exec >&2
printf '%s\\n' "$said"
exit "$code"`;

// What apt-get looks for itself: without such a file nothing was broken off. While somebody upgrades there is one, too.
export const JOURNAL = 'for journal in /var/lib/dpkg/updates/[0-9]*; do break; done';

const unlessJournal = (then: string): string => `  ${JOURNAL}
  [ -e "$journal" ] ${then} exit 0
`;

// When it could not have the lock of dpkg, apt-get has waited already.
const APT_LOCKED = `  0:*|*'E: Could not get lock /var/lib/dpkg/'*) left=0 ;;
  *'E: Could not get lock '*) ;;`;

export const WAIT = loop('', APT_LOCKED);

// While something is broken off or under way, apt-get refuses. What is not downloaded now is downloaded when it is applied.
export const DOWNLOAD = loop(unlessJournal('&&'), APT_LOCKED);

// A host that went down in the middle of an upgrade refuses everything until dpkg has finished it. To call dpkg always would be
// wrong: it fails whenever somebody else holds its lock.
export const REPAIR = loop(unlessJournal('||'), "  2:*'locked by another process'*) ;;");
