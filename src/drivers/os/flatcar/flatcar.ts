// Flatcar writes a new version to the partition that is not in use, and boots it next. Nothing can lock that: any reboot applies it.
// Its own reboot manager, which would not wait for us, is kept still until the next boot.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { isToken, outputLines } from '../command-output.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { enableServices, hasStagedDeployment } from '../shared-commands.ts';

/** Its default is to reboot as soon as something is staged. */
const DISABLE_AUTO_REBOOT: Argv = ['systemctl', 'mask', '--runtime', '--now', 'locksmithd.service'];
const START_UPDATE_ENGINE: Argv = ['systemctl', 'start', 'update-engine.service'];

// `-update` ends well whenever the engine is idle, also after a check or a download that failed. The time of the last check counts
// only those that were answered; it is in seconds, hence the first pause. Whoever is idle after more than a check has failed.
const CHECK_FOR_UPDATE = `look() {
  status=$(update_engine_client -status 2>/dev/null) || exit
  checked=\${status#*LAST_CHECKED_TIME=}
  checked=\${checked%%[!0-9]*}
}
look
before=$checked
sleep 1
update_engine_client -check_for_update || exit
while sleep 1; do
  look
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

// flatcar-update refuses while anything is staged, even if it is what was asked for. `-reset_status` would only make the engine
// forget: the partition stays the next one to boot, and a download that fails then would leave it so. So another version is refused.
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
    if (result.exitCode !== 0 || !isToken(booted) || !operation?.startsWith('UPDATE_STATUS_'))
      return undefined;
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
  requiredPackages: [],
  install: packages => (packages.length === 0 ? [] : undefined),
  enable: enableServices,
  upgrade: {
    stage: [DISABLE_AUTO_REBOOT, START_UPDATE_ENGINE, ['sh', '-c', CHECK_FOR_UPDATE]],
    hasUpdates: hasStagedDeployment(deploymentsQuery),
    apply: [],
  },
  rebootRequired: hasStagedDeployment(deploymentsQuery),
  image: {
    stage: target =>
      isVersion(target) ? [DISABLE_AUTO_REBOOT, ['sh', '-c', STAGE_VERSION, 'sh', target]] : undefined,
    matchesTarget: (target, { version }) => isVersion(target) && target === version,
    finalize: () => ({ commands: [], reboots: false }),
    lock: [],
    deployments: deploymentsQuery,
  },
};
