import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import type { OperationRecord } from '../../app/operations/read-operations.ts';
import type { PolicyInput } from '../../contract/policy.ts';
import type { clusterOperationRoutes } from '../../contract/routes/cluster-operations.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { CompatMode } from '../commissaire-compat.ts';
import type { HandlersFor, RequestContext } from '../request-context.ts';
import { viewDeploy, viewDryRun, viewRestart, viewUpgrade } from '../views/operation.ts';
import { parsePolicyInput } from '../views/policy.ts';

type Routes = typeof clusterOperationRoutes;

interface Body {
  readonly version?: string;
  readonly policy?: Static<typeof PolicyInput>;
}
type PutContext = Pick<RequestContext<Routes['putRestart']>, 'actor' | 'params' | 'idempotencyKey'> & {
  readonly body: Body;
};

/** The three kinds differ only in the view of their records. */
function operationKindHandlers<View extends object>(
  { operations }: App,
  { includesClusterName }: Pick<CompatMode, 'includesClusterName'>,
  { kind, view }: { readonly kind: OperationKind; readonly view: (record: OperationRecord) => View },
) {
  const toResult = (record: OperationRecord) => {
    const { id, cluster } = record.operation;
    return {
      body: { ...(includesClusterName && { name: cluster }), ...view(record) },
      headers: { location: `/api/v0/operation/${id}` },
    };
  };

  async function get({ params }: { readonly params: { readonly name: RecordName } }) {
    const record = await operations.getLatest(params.name, kind);
    return record instanceof AppError ? record : toResult(record);
  }

  async function put({ actor, params, body: { version = '', policy = {} }, idempotencyKey }: PutContext) {
    const policyInput = parsePolicyInput(policy);
    if (Array.isArray(policyInput)) return invalidBody(...policyInput);
    const request = { cluster: params.name, kind, version, policyInput, idempotencyKey };
    if (policyInput.isDryRun) {
      const dryRun = await operations.dryRun(request);
      return dryRun instanceof AppError ? dryRun : { body: viewDryRun(dryRun), isDryRun: true as const };
    }
    const started = await operations.start(actor, request);
    if (started instanceof AppError) return started;
    return { ...toResult(await operations.readRecord(started.record)), isNew: started.isNew };
  }

  return { get, put };
}

export function clusterOperationHandlers(app: App, compat: CompatMode): HandlersFor<Routes> {
  const deploy = operationKindHandlers(app, compat, { kind: 'deploy', view: viewDeploy });
  const upgrade = operationKindHandlers(app, compat, { kind: 'upgrade', view: viewUpgrade });
  const restart = operationKindHandlers(app, compat, { kind: 'restart', view: viewRestart });
  return {
    getDeploy: deploy.get,
    putDeploy: deploy.put,
    getUpgrade: upgrade.get,
    putUpgrade: upgrade.put,
    getRestart: restart.get,
    putRestart: restart.put,
  };
}
