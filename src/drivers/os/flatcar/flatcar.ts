// Flatcar writes a new version to the partition that is not in use, and boots it next. Nothing can lock that: any reboot applies it.
// Its own reboot manager, which would not wait for us, is kept still until the next boot.

import type { Argv, Question } from '../../../domain/command.ts';
import { linesOf } from '../answer-text.ts';
import { imageRebootNeed } from '../image-reboot-need.ts';
import { isWord } from '../json-answer.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { enableServices } from '../systemctl.ts';

/** Its default is to reboot as soon as something is staged. */
const HOLD_REBOOTS: Argv = ['systemctl', 'mask', '--runtime', '--now', 'locksmithd.service'];
const START_ENGINE: Argv = ['systemctl', 'start', 'update-engine.service'];

// flatcar-update refuses while anything is staged, even if it is what was asked for.
const STAGE = `status=$(update_engine_client -status 2>/dev/null)
case $status in
*CURRENT_OP=UPDATE_STATUS_UPDATED_NEED_REBOOT*)
  case "$status
" in *"NEW_VERSION=$1
"*) exit 0 ;; esac
  update_engine_client -reset_status || exit ;;
esac
exec flatcar-update --to-version "$1"`;

const STATUS = `while read -r line; do
  case $line in VERSION_ID=*) printf 'BOOTED_VERSION=%s\\n' "\${line#VERSION_ID=}" ;; esac
done </etc/os-release
exec update_engine_client -status`;

const deployment = (version: string): Deployment => ({ version, checksum: '', image: '' });

const deployments: Question<Deployments> = {
  argv: ['sh', '-c', STATUS],
  read: ran => {
    const values = new Map(linesOf(ran).map(line => line.split('=', 2) as [string, string]));
    const [booted, operation] = [values.get('BOOTED_VERSION')?.replaceAll('"', ''), values.get('CURRENT_OP')];
    if (ran.exitCode !== 0 || !isWord(booted) || !operation?.startsWith('UPDATE_STATUS_')) return undefined;
    const version = values.get('NEW_VERSION');
    const isStaged = operation === 'UPDATE_STATUS_UPDATED_NEED_REBOOT';
    return {
      booted: deployment(booted),
      staged: isStaged ? deployment(isWord(version) ? version : '') : undefined,
    };
  },
};

export const flatcar: OsDriver = {
  type: 'flatcar',
  summary: 'Flatcar Container Linux: whole versions by its update engine',
  systems: ['flatcar'],
  recognise: (id, { isOstree }) => (id === 'flatcar' && !isOstree ? 'flatcar' : undefined),
  ownPackages: [],
  install: packages => (packages.length === 0 ? [] : undefined),
  enable: enableServices,
  upgrade: {
    stage: [HOLD_REBOOTS, START_ENGINE, ['update_engine_client', '-update']],
    apply: [],
  },
  rebootNeed: imageRebootNeed(deployments),
  image: {
    stage: target =>
      /^[0-9]+\.[0-9]+\.[0-9]+(?:\+[a-z0-9.-]+)?$/.test(target)
        ? [HOLD_REBOOTS, ['sh', '-c', STAGE, 'sh', target]]
        : undefined,
    finalize: () => ({ commands: [], reboots: false }),
    deployments,
  },
};
