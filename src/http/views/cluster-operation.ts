import type { Static } from 'typebox';
import type { DryRun as DryRunRecord } from '../../app/operations/dry-run.ts';
import type { OperationRecord } from '../../app/operations/read-operations.ts';
import type {
  DeployRecord,
  DryRun,
  RestartRecord,
  UpgradeRecord,
} from '../../contract/routes/cluster-operations.ts';
import { recordStatusOf } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { displayState, isBlocked } from '../../domain/rollout/operation-host.ts';
import { viewOutage } from './operation.ts';
import { viewPolicy } from './policy.ts';

const viewListed = (host: OperationHost) => ({
  address: host.host,
  state: displayState(host),
  started_at: host.startedAt,
  finished_at: host.finishedAt,
  error: host.phase === 'failed' || isBlocked(host) ? host.problem : null,
});

const viewCommon = ({ operation, started }: OperationRecord) => ({
  status: recordStatusOf(operation),
  in_process: started.map(viewListed),
  started_at: operation.startedAt,
  finished_at: operation.finishedAt,
});

export const viewDeploy = (record: OperationRecord): Static<typeof DeployRecord> => ({
  ...viewCommon(record),
  version: record.operation.version,
  deployed: record.done.map(viewListed),
});

export const viewUpgrade = (record: OperationRecord): Static<typeof UpgradeRecord> => ({
  ...viewCommon(record),
  upgraded: record.done.map(viewListed),
});

export const viewRestart = (record: OperationRecord): Static<typeof RestartRecord> => ({
  ...viewCommon(record),
  restarted: record.done.map(viewListed),
});

export const viewDryRun = ({
  kind,
  cluster,
  version,
  policy,
  hosts,
  wouldStart,
  blockedBy,
  detail,
}: DryRunRecord): Static<typeof DryRun> => ({
  dry_run: true,
  kind,
  cluster,
  ...(kind === 'deploy' && { version }),
  policy: viewPolicy(policy, { isDryRun: true }),
  hosts: hosts.map(({ host, position, isControlPlane, commands, problem }) => ({
    address: host.address,
    position,
    control_plane: isControlPlane,
    state: { status: host.status, reason: host.reason, os: host.os },
    commands: commands.map(({ argv, ...command }) => ({ ...command, argv: argv && [...argv] })),
    ...(problem && { problem }),
  })),
  would_start: wouldStart,
  blocked_by: blockedBy.map(viewOutage),
  detail,
});
