// Flatcar writes a new version to the inactive partition and boots it next. This cannot be locked: any reboot applies
// it. The reboot manager of Flatcar (locksmithd) is masked until the next boot.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { scriptArgv } from '../../../domain/command.ts';
import { isToken, outputLines } from '../command-output.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { hasStagedDeployment } from '../shared-commands.ts';

/** By default, locksmithd reboots as soon as an update is staged. */
const DISABLE_AUTO_REBOOT: Argv = ['systemctl', 'mask', '--runtime', '--now', 'locksmithd.service'];
const START_UPDATE_ENGINE: Argv = ['systemctl', 'start', 'update-engine.service'];

// `-update` succeeds whenever the engine is idle, also after a failed check or download. The time of the last check
// includes only successful checks and has a resolution of one second, hence the first sleep. If the engine becomes idle
// after more than a check, the update failed.
const CHECK_FOR_UPDATE = `read_status() {
  status=$(update_engine_client -status 2>/dev/null) || exit
  checked=\${status#*LAST_CHECKED_TIME=}
  checked=\${checked%%[!0-9]*}
}
read_status
before=$checked
sleep 1
update_engine_client -check_for_update || exit
while sleep 1; do
  read_status
  case $status in
  *=UPDATE_STATUS_UPDATED_NEED_REBOOT*) exit 0 ;;
  *=UPDATE_STATUS_CHECKING_FOR_UPDATE*) ;;
  *=UPDATE_STATUS_IDLE*) break ;;
  *=UPDATE_STATUS_*) before=failed ;;
  *) before=$checked; break ;;
  esac
done
case $before in
failed) echo 'The update engine failed to stage an update: see journalctl -u update-engine' >&2 ;;
"$checked") echo 'The update engine could not check for updates: see journalctl -u update-engine' >&2 ;;
*) exit 0 ;;
esac
exit 1`;

// flatcar-update refuses to run while any version is staged, including the requested one. `-reset_status` would not
// help: the engine forgets the update, but the partition is still booted next, even if the following download fails. So
// another staged version is an error.
const STAGE_VERSION = `status=$(update_engine_client -status 2>/dev/null)
case $status in
*CURRENT_OP=UPDATE_STATUS_UPDATED_NEED_REBOOT*)
  case "$status
" in *"NEW_VERSION=$1
"*) exit 0 ;; esac
  echo 'Another version is staged already: reboot into it first' >&2
  exit 1 ;;
esac
exec flatcar-update --to-version "$1"`;

const STATUS = `while read -r line; do
  case $line in VERSION_ID=*) printf 'BOOTED_VERSION=%s\\n' "\${line#VERSION_ID=}" ;; esac
done </etc/os-release
exec update_engine_client -status`;

const isVersion = (target: string): boolean => /^[0-9]+\.[0-9]+\.[0-9]+(?:\+[a-z0-9.-]+)?$/.test(target);

const toDeployment = (version: string): Deployment => ({ version, checksum: '', image: '' });

const deploymentsQuery: HostQuery<Deployments> = {
  argv: ['sh', '-c', STATUS],
  parse: result => {
    const values = new Map(
      outputLines(result).map(line => {
        const [key = '', value] = line.split('=', 2);
        return [key, value] as const;
      }),
    );
    const [booted, operation] = [values.get('BOOTED_VERSION')?.replaceAll('"', ''), values.get('CURRENT_OP')];
    if (result.exitCode !== 0 || !isToken(booted) || !operation?.startsWith('UPDATE_STATUS_')) return undefined;
    const version = values.get('NEW_VERSION');
    const isStaged = operation === 'UPDATE_STATUS_UPDATED_NEED_REBOOT';
    return {
      booted: toDeployment(booted),
      staged: isStaged ? toDeployment(isToken(version) ? version : '') : undefined,
    };
  },
};

export const flatcar: OsDriver = {
  type: 'flatcar',
  summary: 'Flatcar Container Linux; OS images with its update engine',
  osNames: ['flatcar'],
  matchOs: (id, { isOstree }) => (id === 'flatcar' && !isOstree ? 'flatcar' : undefined),
  requiredTools: ['update_engine_client'],
  install: packages => (packages.length === 0 ? [] : undefined),
  upgrade: {
    stage: [DISABLE_AUTO_REBOOT, START_UPDATE_ENGINE, ['sh', '-c', CHECK_FOR_UPDATE]],
    hasUpdates: hasStagedDeployment(deploymentsQuery),
    apply: [],
  },
  rebootRequired: hasStagedDeployment(deploymentsQuery),
  image: {
    stage: target => (isVersion(target) ? [DISABLE_AUTO_REBOOT, scriptArgv(STAGE_VERSION, target)] : undefined),
    matchesTarget: (target, { version }) => isVersion(target) && target === version,
    finalize: () => ({ commands: [], reboots: false }),
    lock: [],
    deployments: deploymentsQuery,
  },
};
